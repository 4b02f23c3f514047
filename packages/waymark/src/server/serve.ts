import { resolve } from 'node:path';
import type { TaskAgent } from '../agent/index.ts';
import { createHost, createRoots, type Logger, type Selection, ToolError } from '../kit/index.ts';
import { type Auth, type AuthServices, createAuth } from './auth/auth.ts';
import { auditCalls } from './auth/audit-calls.ts';
import { createCallPolicy } from './call-policy.ts';
import { surround } from './surround.ts';
import type { Config } from './config.ts';
import { userOf as userOfAuthInfo } from './endpoint.ts';
import { createGuard, isLoopback } from './guard.ts';
import { createHttpServer, type HttpServer, type NamedEndpoint } from './http-server.ts';
import type { RequestUser } from './request-user.ts';
import { registerChatRoutes } from './rest/chat.ts';
import { closeEventStreams, registerEventRoutes } from './rest/events.ts';
import { registerGraphRoutes } from './rest/graph.ts';
import { registerInfoRoutes } from './rest/info.ts';
import { registerSopRoutes } from './rest/sop.ts';
import { registerSageRoutes } from './rest/sage.ts';
import { registerTaskRoutes } from './rest/tasks.ts';
import { createServices, type Services } from './services.ts';
import { registerStaticFiles } from './static-files.ts';
import { connectTaskTools, createTaskAgent } from './task-agent.ts';
import { startTelemetry } from './telemetry.ts';
import { isToolsetName, loadToolsets, toolsetNames } from './toolsets.ts';
import { tutorModel } from './tutor-model.ts';
import { filesIn, UserRoots } from './user-roots.ts';
import { version } from './version.ts';

/** A start that cannot go ahead, with what to change. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export interface RunningServer {
  readonly url: URL;
  readonly services: Services;
  readonly auth: Auth | undefined;
  close(): Promise<void>;
}

/** Puts everything together as configured and listens. */
export async function startServer(
  config: Config,
  log: Logger,
  options: Pick<AuthServices, 'fetch' | 'keyCooldownMs'> = {},
): Promise<RunningServer> {
  if (config.auth.mode === 'none' && !isLoopback(config.host)) {
    throw new StartError(
      `Refusing to listen on ${config.host} without authentication. ` +
        'Use --host 127.0.0.1, or set auth.mode to "embedded" or "external" (--auth embedded).',
    );
  }
  if (config.auth.mode === 'external' && !config.auth.issuer) {
    throw new StartError('Authentication mode "external" needs auth.issuer: the address of the authorization server.');
  }
  if (config.auth.mode !== 'none' && !isLoopback(config.host) && !config.publicUrl?.startsWith('https://')) {
    throw new StartError(
      'With authentication on a public address, set publicUrl (--public-url) to the https address clients use.',
    );
  }
  const dataDirectory = resolve(config.data);
  const userRoots = config.auth.mode === 'none' ? undefined : new UserRoots(filesIn(dataDirectory), config.roots ?? []);
  const roots = userRoots ?? (await createRoots(config.roots ?? ['.']));
  const services = createServices({
    dataDirectory,
    databaseUrl: config.databaseUrl,
    roots,
    log,
    graphs: {
      files: config.graphs,
      allowExec: config.allowExec,
      selection: {
        toolsets: config.toolsets,
        tools: config.tools,
        excludeTools: config.excludeTools,
        readOnly: config.readOnly,
      },
    },
  });
  const names = (config.toolsets ?? toolsetNames).filter(isToolsetName);
  const recordIn = config.databaseUrl ? ('both' as const) : ('files' as const);
  const sop = { ...config.sop, sops: config.sops, recordIn, log };
  const toolsets = await loadToolsets(names, { ...services, sop, tutor: { model: config.model, log } }).catch(
    (error: unknown) => {
      throw error instanceof ToolError ? new StartError(error.message) : error;
    },
  );
  const now = () => Date.now();
  const telemetry = await startTelemetry(process.env, version);
  const auth = await createAuth({ config, store: services.store, log, ...options });
  const host = createHost({
    info: { name: 'waymark', title: 'Waymark', version },
    log,
    aroundCall: surround([
      telemetry?.aroundCall,
      auth && auditCalls(auth.audit),
      createCallPolicy({ ...config.limits, now }),
    ]),
  });
  const selection: Selection = {
    tools: config.tools,
    excludeTools: config.excludeTools,
    readOnly: config.readOnly,
  };
  const userOf: RequestUser = async (request, reply) => {
    if (!auth) return { id: 'local', scopes: 'all' };
    const authInfo = await auth.authenticate(request, reply);
    return authInfo && userOfAuthInfo(authInfo);
  };
  let agent: Promise<TaskAgent> | undefined;
  const startAgent = () =>
    connectTaskTools(services, host, { readOnly: config.readOnly })
      .then((connect) => createTaskAgent(services, { host, connect, model: config.model }))
      .catch((error: unknown) => {
        agent = undefined;
        throw error;
      });
  const server = await createHttpServer({
    ...config.limits,
    perUser: config.limits.requests ?? (config.auth.mode === 'none' ? undefined : { perSecond: 50, burst: 500 }),
    toolsets,
    endpoints: names.includes('graph') ? await graphEndpoints(services) : [],
    host,
    selection,
    auth,
    ...(userRoots ? { runAs: (userId, work) => userRoots.runAs(userId, work) } : {}),
    guard: createGuard({
      host: config.host,
      publicUrl: config.publicUrl ? new URL(config.publicUrl) : undefined,
      allowedHosts: config.allowedHosts,
      allowedOrigins: config.allowedOrigins,
    }),
    registerRoutes(app) {
      auth?.registerRoutes(app);
      registerInfoRoutes(app, { config, toolsets });
      registerEventRoutes(app, { events: services.events, userOf });
      if (names.includes('graph')) {
        registerGraphRoutes(app, { graphs: services.graphs, userOf, readOnly: config.readOnly });
      }
      if (names.includes('sop')) {
        const runAs = userRoots && ((userId: string, work: () => Promise<unknown>) => userRoots.runAs(userId, work));
        registerSopRoutes(app, { ...services, ...sop, userOf, runAs, readOnly: config.readOnly });
      }
      if (names.includes('sage'))
        registerSageRoutes(app, { ...services, userOf, readOnly: config.readOnly, generate: tutorModel(config.model) });
      if (names.includes('tasks')) registerTaskRoutes(app, { ...services, userOf, readOnly: config.readOnly });
      if (names.includes('tasks')) registerChatRoutes(app, { agent: () => (agent ??= startAgent()), userOf });
      registerStaticFiles(app);
    },
  });
  const url = await listen(server, config);
  await auth?.start(url);
  return {
    url,
    services,
    auth,
    async close() {
      closeEventStreams();
      await server.close();
      await Promise.allSettled(toolsets.map(async (toolset) => toolset.close?.()));
      await auth?.audit.flush();
      await services.close();
      await telemetry?.close();
    },
  };
}

/** Each graph the operator named is a server of its own, at an address of its own. */
async function graphEndpoints(services: Services): Promise<NamedEndpoint[]> {
  const graphs = await services.graphs();
  return graphs.library.list().map(({ name }) => {
    const { toolset, info } = graphs.served(name);
    return { path: `/mcp/graph/${encodeURIComponent(name)}`, toolset, info };
  });
}

async function listen(server: HttpServer, { port, host }: Config): Promise<URL> {
  try {
    return await server.listen(port, host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    await server.close();
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${port} on ${host} is in use. Choose another with --port, or --port 0 for a free one.`,
      );
    }
    if (code === 'EACCES') throw new StartError(`Port ${port} needs more rights. Choose one above 1023 with --port.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`${host} is not an address of this machine. Use --host 127.0.0.1.`);
    }
    throw error;
  }
}
