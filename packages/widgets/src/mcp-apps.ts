import type { Host, HostContext, HostEvents, ToolResult } from './host-model.ts';

interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: number; readonly message?: string };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const answerLimit = 60_000;

/** The app's half of MCP Apps: JSON-RPC by `postMessage` with the parent window. */
export async function connectMcpApps(name: string, events: HostEvents, patience: number): Promise<Host | undefined> {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let context: HostContext = {};

  // The host's origin is unknown by design; replies are told apart by the window they come from.
  const post = (message: Omit<Message, 'jsonrpc'>) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const request = (method: string, params: unknown, limit = answerLimit): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const id = lastId;
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new Error(`no answer to ${method}`));
      }, limit);
      waiting.set(id, {
        resolve: (result) => (clearTimeout(timer), resolve(result)),
        reject: (error) => (clearTimeout(timer), reject(error)),
      });
      post({ id, method, params });
    });

  const changeContext = (change: HostContext) => {
    context = { ...context, ...change };
    events.onContext(context);
  };

  const answer = ({ id, method }: Message) => {
    const known = method === 'ping' || method === 'ui/resource-teardown';
    if (id === undefined) return;
    post(known ? { id, result: {} } : { id, error: { code: -32601, message: `unknown method ${method ?? ''}` } });
  };

  window.addEventListener('message', (event) => {
    const message = event.data as Message | undefined;
    if (event.source !== window.parent || message?.jsonrpc !== '2.0') return;
    if (message.method === 'ui/notifications/tool-result') events.onResult((message.params ?? {}) as ToolResult);
    else if (message.method === 'ui/notifications/host-context-changed') changeContext(message.params as HostContext);
    else if (message.method !== undefined) answer(message);
    else settle(waiting, message);
  });

  const initialized = await request(
    'ui/initialize',
    {
      protocolVersion: '2026-01-26',
      appInfo: { name: `waymark-${name}`, version: '1.0.0' },
      appCapabilities: { availableDisplayModes: name === 'graph' ? ['inline', 'fullscreen'] : ['inline'] },
    },
    patience,
  ).catch(() => undefined);
  if (initialized === undefined) return undefined;
  const { hostContext = {}, hostCapabilities = {} } = initialized as {
    hostContext?: HostContext;
    hostCapabilities?: Readonly<Record<string, unknown>>;
  };
  changeContext(hostContext);
  post({ method: 'ui/notifications/initialized', params: {} });

  return {
    callTool: async (tool, args) => (await request('tools/call', { name: tool, arguments: args })) as ToolResult,
    say: async (text) => {
      const result = await request('ui/message', { role: 'user', content: [{ type: 'text', text }] });
      if ((result as { isError?: boolean }).isError) throw new Error('the host declined the message');
    },
    inform: async (text) => {
      if (!hostCapabilities['updateModelContext']) return;
      await request('ui/update-model-context', { content: [{ type: 'text', text }] });
    },
    requestDisplayMode: async (mode) => {
      const result = await request('ui/request-display-mode', { mode });
      changeContext({ displayMode: (result as { mode: NonNullable<HostContext['displayMode']> }).mode });
    },
    savedState: undefined,
    saveState: () => {},
    reportSize: (width, height) => post({ method: 'ui/notifications/size-changed', params: { width, height } }),
  };
}

function settle(waiting: Map<number, Waiting>, { id, result, error }: Message): void {
  const entry = waiting.get(Number(id));
  waiting.delete(Number(id));
  if (error) entry?.reject(new Error(error.message ?? 'the host answered with an error'));
  else entry?.resolve(result);
}
