import type { CallToolResult } from '../api/mcp.ts';

/** What an app may ask for, and what it is told: the host's half of MCP Apps. */
export interface AppHostParts {
  readonly html: string;
  /** The call that opened the app. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: CallToolResult;
  readonly context: HostContext;
  callTool(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
  onMessage(text: string): void;
  onHeight(height: number): void;
  onDisplayMode(mode: DisplayMode): void;
  /** Sends to the app, and to nobody else. */
  post(message: Message): void;
}

export type DisplayMode = 'inline' | 'fullscreen';

export interface HostContext {
  readonly theme: 'light' | 'dark';
  readonly displayMode: DisplayMode;
  readonly availableDisplayModes: readonly DisplayMode[];
  readonly locale: string;
}

export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const protocolVersion = '2026-01-26';
const tallest = 4000;

class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Answers one app. Messages come in by `receive`; whether they come from the app is for the caller to check. */
export class AppHost {
  readonly #parts: AppHostParts;
  #context: HostContext;
  #initialized = false;

  constructor(parts: AppHostParts) {
    this.#parts = parts;
    this.#context = parts.context;
  }

  async receive(data: unknown): Promise<void> {
    const message = data as Message | null;
    if (message?.jsonrpc !== '2.0' || message.method === undefined) return;
    const { id, method } = message;
    const params = (message.params ?? {}) as Record<string, unknown>;
    if (id === undefined) return this.#notice(method, params);
    try {
      this.#post({ id, result: await this.#answer(method, params) });
    } catch (error) {
      const code = error instanceof Refusal ? error.code : -32603;
      this.#post({ id, error: { code, message: error instanceof Error ? error.message : 'It did not work' } });
    }
  }

  changeContext(change: Partial<HostContext>): void {
    this.#context = { ...this.#context, ...change };
    if (this.#initialized) this.#post({ method: 'ui/notifications/host-context-changed', params: change });
  }

  #notice(method: string, params: Record<string, unknown>): void {
    if (method === 'ui/notifications/sandbox-proxy-ready') {
      this.#post({ method: 'ui/notifications/sandbox-resource-ready', params: { html: this.#parts.html } });
    } else if (method === 'ui/notifications/initialized') {
      this.#initialized = true;
      this.#post({ method: 'ui/notifications/tool-input', params: { arguments: this.#parts.input } });
      this.#post({ method: 'ui/notifications/tool-result', params: this.#parts.result });
    } else if (method === 'ui/notifications/size-changed' && typeof params['height'] === 'number') {
      this.#parts.onHeight(Math.min(Math.max(Math.ceil(params['height']), 40), tallest));
    }
  }

  async #answer(method: string, params: Record<string, unknown>): Promise<unknown> {
    switch (method) {
      case 'ping':
      case 'ui/update-model-context':
        return {};
      case 'ui/initialize':
        return {
          protocolVersion,
          hostInfo: { name: 'waymark-studio', version: '1.0.0' },
          hostCapabilities: { serverTools: {}, message: { text: {} } },
          hostContext: this.#context,
        };
      case 'tools/call':
        return this.#parts.callTool(String(params['name']), (params['arguments'] ?? {}) as Record<string, unknown>);
      case 'ui/message':
        this.#parts.onMessage(textOf(params['content']));
        return {};
      case 'ui/request-display-mode': {
        const wanted = params['mode'] === 'fullscreen' ? 'fullscreen' : 'inline';
        this.#context = { ...this.#context, displayMode: wanted };
        this.#parts.onDisplayMode(wanted);
        return { mode: wanted };
      }
      default:
        throw new Refusal(-32601, `This host does not offer ${method}`);
    }
  }

  #post(message: Omit<Message, 'jsonrpc'>): void {
    this.#parts.post({ jsonrpc: '2.0', ...message });
  }
}

function textOf(content: unknown): string {
  const blocks = (Array.isArray(content) ? content : [content]) as ({ type?: string; text?: string } | undefined)[];
  return blocks.flatMap((block) => (block?.type === 'text' && block.text ? [block.text] : [])).join('\n');
}
