// Waymark's whole HTTP server with the sop toolset, recording in files, and an echo tool beside it.
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  annotate,
  createEvents,
  createHost,
  createRoots,
  defineTool,
  defineToolset,
} from '../../packages/waymark/dist/kit/index.js';
import { createCallPolicy } from '../../packages/waymark/dist/server/call-policy.js';
import { createGuard } from '../../packages/waymark/dist/server/guard.js';
import { createHttpServer } from '../../packages/waymark/dist/server/http-server.js';
import { createSopToolset } from '../../packages/waymark/dist/sop/index.js';

const schema = z.strictObject({ text: z.string(), conversation_id: z.string() });
const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Says it again.',
  input: schema,
  annotations: annotate.read,
  scopes: [],
  run: (input) => input,
});
const roots = await createRoots([fileURLToPath(new URL('../../examples/sop/', import.meta.url))]);
const sop = await createSopToolset({ roots, events: createEvents(), dataDirectory: process.argv[2] });
const server = await createHttpServer({
  toolsets: [sop, defineToolset({ name: 'echo', title: 'Echo', instructions: '', tools: [echo] })],
  host: createHost({
    aroundCall: createCallPolicy({ callTimeoutMs: 60_000, maxConcurrentCalls: 256, now: () => Date.now() }),
  }),
  guard: createGuard({ host: '127.0.0.1' }),
  selection: {},
  maxBodyBytes: 4 << 20,
  maxBatch: 50,
  sessionIdleMs: 60_000,
  maxSessions: 1000,
  shutdownMs: 1000,
});
console.log(`ready at ${(await server.listen(0, '127.0.0.1')).origin}`);
