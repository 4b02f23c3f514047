// Waymark's whole HTTP server with one echo tool: guard, limits, policy, both wires.
import { annotate, createHost, defineTool, defineToolset } from '../../packages/waymark/dist/kit/index.js';
import { createCallPolicy } from '../../packages/waymark/dist/server/call-policy.js';
import { createGuard } from '../../packages/waymark/dist/server/guard.js';
import { createHttpServer } from '../../packages/waymark/dist/server/http-server.js';
import { z } from '../../node_modules/zod/index.js';

const schema = z.strictObject({ text: z.string() });
const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Says it again.',
  input: schema,
  output: schema,
  annotations: annotate.read,
  scopes: [],
  run: (input) => input,
});
const now = () => Date.now();
const server = await createHttpServer({
  toolsets: [defineToolset({ name: 'echo', title: 'Echo', instructions: '', tools: [echo] })],
  host: createHost({ aroundCall: createCallPolicy({ callTimeoutMs: 60_000, maxConcurrentCalls: 256, now }) }),
  guard: createGuard({ host: '127.0.0.1' }),
  selection: {},
  maxBodyBytes: 4 << 20,
  maxBatch: 50,
  sessionIdleMs: 60_000,
  maxSessions: 1000,
  shutdownMs: 1000,
});
console.log(`ready at ${(await server.listen(0, '127.0.0.1')).origin}`);
