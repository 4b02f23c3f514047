import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import type { AuthInfo, Implementation, Server } from '@modelcontextprotocol/server';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Host, Scope, Selection, Toolset } from '../kit/index.ts';
import { createEndpoint, type Endpoint, userOf } from './endpoint.ts';
import type { Guard } from './guard.ts';
import { InFlight } from './in-flight.ts';
import { nestsDeeperThan } from './json-depth.ts';
import { jsonRpcError } from './json-rpc-error.ts';
import { missingScopes } from './missing-scopes.ts';
import { RateLimiter, type Rate } from './limits.ts';
import { Sessions } from './sessions.ts';

export interface HttpServerOptions {
  readonly toolsets: readonly Toolset[];
  /** Further endpoints, each a server of its own name with one toolset. */
  readonly endpoints?: readonly NamedEndpoint[];
  readonly host: Host;
  readonly guard: Guard;
  readonly selection: Selection;
  readonly maxBodyBytes: number;
  readonly maxBatch: number;
  readonly sessionIdleMs: number;
  readonly maxSessions: number;
  /** Requests per user; undefined for no limit. */
  readonly perUser?: Rate | undefined;
  /** How long a stopping server waits for calls under way. */
  readonly shutdownMs: number;
  /** Checks who calls; without it everybody is the local user. */
  readonly auth?: RequestAuth | undefined;
  /** Surrounds everything done for a user; file tools learn from it whose files to use. */
  readonly runAs?: <T>(userId: string, work: () => Promise<T>) => Promise<T>;
  readonly registerRoutes?: (app: FastifyInstance) => void | Promise<void>;
  readonly customize?: (server: Server) => void;
  readonly health?: () => Promise<Record<string, unknown>>;
}

export interface NamedEndpoint {
  readonly path: string;
  readonly toolset: Toolset;
  info(): Implementation;
}

/** The half of authentication a request meets. Where it refuses, it has sent the reply. */
export interface RequestAuth {
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<AuthInfo | undefined>;
  forbid(reply: FastifyReply, scopes: readonly Scope[]): void;
}

export interface HttpServer {
  readonly app: FastifyInstance;
  listen(port: number, host: string): Promise<URL>;
  /** Lets calls under way finish, then closes everything. */
  close(): Promise<void>;
}

export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const inFlight = new InFlight();
  const app = Fastify({
    loggerInstance: quietLogger(options.host),
    bodyLimit: options.maxBodyBytes,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  const now = () => options.host.clock().getTime();
  const sessions = new Sessions({ idleMs: options.sessionIdleMs, maxSessions: options.maxSessions, now });
  const limiter = options.perUser && new RateLimiter(options.perUser, now);
  let stopping = false;

  app.addHook('onRequest', async (request, reply) => {
    const refusal = options.guard.refusal(request.headers);
    if (refusal) return reply.code(403).send(jsonRpcError(-32000, refusal));
    if (stopping)
      return reply.code(503).header('retry-after', '2').send(jsonRpcError(-32000, 'The server is stopping'));
  });

  app.get('/healthz', async () => ({
    status: 'ok',
    version: options.host.info.version,
    toolsets: options.toolsets.map((toolset) => toolset.name),
    ...(await options.health?.()),
  }));

  const endpoints: Endpoint[] = [];
  await app.register((scope, _options, done) => {
    acceptJsonOnly(scope);
    function serve(path: string, toolsets: readonly Toolset[], selection: Selection, host = options.host): void {
      const endpoint = createEndpoint({ ...options, host, toolsets, selection, sessions });
      endpoints.push(endpoint);
      const handle = toNodeHandler(endpoint, {
        maxRequestBodySize: options.maxBodyBytes,
        onerror: (error) => options.host.log.error('request failed', { error }),
      });
      scope.route({
        method: ['GET', 'POST', 'DELETE'],
        url: path,
        async handler(request, reply) {
          const authInfo = await options.auth?.authenticate(request, reply);
          if (options.auth) {
            if (!authInfo) return reply;
            const missing = missingScopes(toolsets, request.body, userOf(authInfo));
            if (missing.length > 0) {
              options.auth.forbid(reply, missing);
              return reply;
            }
          }
          const waitMs = limiter?.take(userOf(authInfo).id) ?? 0;
          if (waitMs > 0) {
            const seconds = Math.ceil(waitMs / 1000);
            const refusal = jsonRpcError(-32000, `Too many requests; try again in ${seconds} s`, {
              retry_after_ms: waitMs,
            });
            return reply.code(429).header('retry-after', String(seconds)).send(refusal);
          }
          reply.hijack();
          if (authInfo) Object.assign(request.raw, { auth: authInfo });
          const answer = () => handle(request.raw as NodeIncomingMessageLike, reply.raw, request.body ?? undefined);
          const serveRequest = () => options.runAs?.(userOf(authInfo).id, answer) ?? answer();
          // A GET is the older wire's event stream: it stays open and is ended by us, not waited for.
          await (request.method === 'GET' ? serveRequest() : inFlight.track(serveRequest));
          return reply;
        },
      });
    }
    serve('/mcp', options.toolsets, { ...options.selection, tier: options.selection.tools ? 'all' : 'core' });
    for (const toolset of options.toolsets)
      serve(`/mcp/${toolset.name}`, [toolset], { ...options.selection, tier: 'all' });
    for (const { path, toolset, info } of options.endpoints ?? []) {
      const host = {
        ...options.host,
        get info() {
          return info();
        },
      };
      serve(path, [toolset], { readOnly: options.selection.readOnly, tier: 'all' }, host);
    }
    done();
  });

  await options.registerRoutes?.(app);

  return {
    app,
    async listen(port, host) {
      return new URL(await app.listen({ port, host }));
    },
    async close() {
      stopping = true;
      const deadline = new Promise((resolve) => setTimeout(resolve, options.shutdownMs).unref());
      await Promise.race([inFlight.drained(), deadline]);
      await Promise.all(endpoints.map((endpoint) => endpoint.close()));
      await sessions.close();
      await app.close();
    },
  };
}

const maxDepth = 200;

/** On MCP endpoints every refusal is a JSON-RPC error, also of bodies that never reach a server. */
function acceptJsonOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (nestsDeeperThan(body as string, maxDepth)) {
      done(
        Object.assign(new Error(`The body nests deeper than ${maxDepth} levels`), { statusCode: 400, rpcCode: -32600 }),
      );
      return;
    }
    try {
      done(null, JSON.parse(body as string));
    } catch {
      done(Object.assign(new Error('Parse error: the body is not valid JSON'), { statusCode: 400, rpcCode: -32700 }));
    }
  });
  scope.setErrorHandler((error: Error & { statusCode?: number; rpcCode?: number; code?: string }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error(error);
    const message =
      status === 413
        ? 'The request body is too large'
        : status === 415
          ? 'Unsupported media type: send application/json'
          : status >= 500
            ? 'Internal error'
            : error.message;
    // A client still sending its body would see a broken connection instead of the answer.
    if (status === 413) reply.removeHeader('connection');
    return reply.code(status).send(jsonRpcError(error.rpcCode ?? (status >= 500 ? -32603 : -32600), message));
  });
}

/** Fastify's own log lines join ours; requests are logged by what they did, not by their arrival. */
function quietLogger({ log }: Host): FastifyBaseLogger {
  const forward = (level: 'warn' | 'error') => (first: unknown, message?: string) => {
    log[level](
      message ?? (first instanceof Error ? first.message : 'http'),
      first instanceof Error ? { error: first } : {},
    );
  };
  const logger = {
    level: 'warn',
    silent() {},
    trace() {},
    debug() {},
    info() {},
    warn: forward('warn'),
    error: forward('error'),
    fatal: forward('error'),
    child: () => logger,
  };
  return logger as unknown as FastifyBaseLogger;
}
