import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
  type McpHandlerRequestOptions,
  type McpRequestContext,
  type Server,
} from '@modelcontextprotocol/server';
import {
  type Catalog,
  createCatalog,
  createMcpServer,
  type Host,
  type Selection,
  type Toolset,
  type User,
} from '../kit/index.ts';
import { jsonRpcError } from './json-rpc-error.ts';
import { narrow, selectionKey, selectionOfHeaders } from './selection.ts';
import type { Sessions } from './sessions.ts';

export interface EndpointOptions {
  readonly toolsets: readonly Toolset[];
  readonly host: Host;
  /** What this endpoint serves at most. */
  readonly selection: Selection;
  readonly sessions: Sessions;
  readonly maxBatch: number;
  /** Extra handlers on every server of this endpoint; the conformance fixtures use it. */
  readonly customize?: ((server: Server) => void) | undefined;
}

/** One MCP endpoint: both wires, one set of toolsets. */
export interface Endpoint {
  fetch(request: Request, options?: McpHandlerRequestOptions): Promise<Response>;
  close(): Promise<void>;
}

const localUser: User = { id: 'local', scopes: 'all' };

/** The user that authentication has put on the request; without authentication everybody is `local`. */
export function userOf(authInfo: AuthInfo | undefined): User {
  return (authInfo?.extra?.['user'] as User | undefined) ?? localUser;
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const catalogs = createCatalogCache(options.toolsets);

  function serverFor(authInfo: AuthInfo | undefined, request: Request | undefined, conversation?: string): Server {
    const user = userOf(authInfo);
    const asked: Selection = request ? selectionOfHeaders(request.headers) : {};
    const catalog = catalogs(narrow(options.selection, { ...asked, scopes: user.scopes }));
    const server = createMcpServer(catalog, options.host, { user, conversation });
    options.customize?.(server);
    return server;
  }
  const factory = ({ authInfo, requestInfo }: McpRequestContext) => serverFor(authInfo, requestInfo);
  const onerror = (error: Error) => options.host.log.debug('request refused', { reason: error.message });
  const modern = createMcpHandler(factory, { legacy: 'reject', onerror });
  const stateless = legacyStatelessFallback(factory, onerror);

  const unsubscribe = options.toolsets.map((toolset) =>
    toolset.onChange?.((what = 'tools') => {
      if (what === 'tools') modern.notify.toolsChanged();
      else modern.notify.promptsChanged();
      void options.sessions.notifyChanged(what);
    }),
  );

  async function serveOlderWire(request: Request, handlerOptions: McpHandlerRequestOptions): Promise<Response> {
    const { authInfo, parsedBody } = handlerOptions;
    if (Array.isArray(parsedBody) && parsedBody.length > options.maxBatch) {
      return Response.json(jsonRpcError(-32600, `A batch may hold at most ${options.maxBatch} messages`), {
        status: 400,
      });
    }
    const user = userOf(authInfo);
    const sessionId = request.headers.get('mcp-session-id');
    if (sessionId) {
      const session = options.sessions.find(sessionId, user.id);
      if (!session) return Response.json(jsonRpcError(-32001, 'Session not found: initialize again'), { status: 404 });
      return options.sessions.handle(session, request, handlerOptions);
    }
    if (isInitialize(parsedBody)) {
      const connect = (conversation: string) => serverFor(authInfo, request, conversation);
      return options.sessions.create(connect, user.id, request, { ...(authInfo ? { authInfo } : {}), parsedBody });
    }
    return stateless(request, handlerOptions);
  }

  return {
    async fetch(request, handlerOptions = {}) {
      const legacy = await isLegacyRequest(request, handlerOptions.parsedBody);
      return legacy ? serveOlderWire(request, handlerOptions) : modern.fetch(request, handlerOptions);
    },
    async close() {
      for (const stop of unsubscribe) stop?.();
      await modern.close();
    },
  };
}

function isInitialize(body: unknown): boolean {
  const messages = Array.isArray(body) ? body : [body];
  return messages.some((message) => (message as { method?: unknown } | undefined)?.method === 'initialize');
}

/** Catalogs by selection: few in practice, but a header must not be able to grow memory without end. */
function createCatalogCache(toolsets: readonly Toolset[]): (selection: Selection) => Catalog {
  const limit = 256;
  const kept = new Map<string, Catalog>();
  return (selection) => {
    const key = selectionKey(selection);
    const known = kept.get(key);
    if (known) return known;
    if (kept.size >= limit) kept.clear();
    const catalog = createCatalog(toolsets, selection);
    kept.set(key, catalog);
    return catalog;
  };
}
