#!/usr/bin/env node
import { main } from '../dist/cli/main.js';

// Somebody stopped reading (| head): that is no error.
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const exitCode = await main(process.argv.slice(2));
if (exitCode !== 0) process.exitCode = exitCode;
