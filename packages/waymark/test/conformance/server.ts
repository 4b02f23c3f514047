import { randomBytes } from 'node:crypto';
import { createRequestStateCodec, type Server } from '@modelcontextprotocol/server';
import { createHost, defineToolset, type Toolset } from '../../src/kit/index.ts';
import { createCallPolicy } from '../../src/server/call-policy.ts';
import { configSchema } from '../../src/server/config.ts';
import { createGuard } from '../../src/server/guard.ts';
import { createHttpServer, type HttpServer } from '../../src/server/http-server.ts';
import { askingTools, type FixtureStateCodec } from './asking-tools.ts';
import { contentTools } from './content-tools.ts';
import { extendContext, fixture, text } from './fixture.ts';
import { prompts, resources } from './prompts-and-resources.ts';

/** What the conformance suite expects to find on a server, as a toolset like any other. */
function createConformanceToolset(codec: FixtureStateCodec): Toolset {
  const listeners = new Set<(what?: 'tools' | 'prompts') => void>();
  const announce = (what: 'tools' | 'prompts') => {
    for (const listener of listeners) listener(what);
    return text(`Announced a change of ${what}.`);
  };
  return defineToolset({
    name: 'conformance',
    title: 'Conformance',
    instructions: 'Fixtures of the MCP conformance suite.',
    tools: [
      ...contentTools,
      ...askingTools(codec),
      fixture('test_trigger_tool_change', () => announce('tools')),
      fixture('test_trigger_prompt_change', () => announce('prompts')),
    ],
    prompts,
    resources,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
}

/** Subscriptions and protocol logging: parts of the older wire that Waymark itself does without. */
function addOlderFeatures(server: Server): void {
  server.registerCapabilities({ logging: {}, resources: { subscribe: true } });
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
}

/** The product's HTTP server with the fixtures in place of its toolsets. */
export async function startConformanceServer(): Promise<{ server: HttpServer; url: URL }> {
  const codec: FixtureStateCodec = createRequestStateCodec({ key: randomBytes(32), ttlSeconds: 300 });
  const { limits } = configSchema.parse({});
  const server = await createHttpServer({
    ...limits,
    toolsets: [createConformanceToolset(codec)],
    host: createHost({
      info: { name: 'waymark-conformance', version: '0.0.0' },
      aroundCall: createCallPolicy({ ...limits, now: () => Date.now() }),
      extendContext,
      requestState: { verify: codec.verify },
    }),
    guard: createGuard({ host: '127.0.0.1' }),
    selection: {},
    customize: addOlderFeatures,
  });
  return { server, url: await server.listen(0, '127.0.0.1') };
}
