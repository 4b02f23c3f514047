import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.{ts,tsx}',
      'packages/*/test/**/*.test.{ts,tsx}',
      'spec/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    globalSetup: 'packages/waymark/test/global-setup.ts',
    setupFiles: 'packages/waymark/test/setup.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // By default one core is left idle, which on two cores is half of the machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
