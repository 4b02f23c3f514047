import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps';
import type { CallToolResult } from '@modelcontextprotocol/client';

/** What the test runner gives to the page, and what the page gives to the runner. */
declare global {
  interface Window {
    callTool(name: string, args: Record<string, unknown> | undefined): Promise<CallToolResult>;
    record(kind: string, what: unknown): Promise<void>;
    openWidget(options: OpenOptions): Promise<void>;
    changeContext(context: McpUiHostContext): void;
    sendResult(result: CallToolResult): Promise<void>;
  }
}

export interface OpenOptions {
  readonly html: string;
  readonly sandbox: string;
  readonly context: McpUiHostContext;
  readonly input: Record<string, unknown>;
  readonly result: CallToolResult;
  readonly width: number;
}

/** A host as others wrote it: the reference bridge, and a sandbox on another origin. */
window.openWidget = async ({ html, sandbox, context, input, result, width }) => {
  const frame = document.createElement('iframe');
  frame.title = 'widget';
  frame.style.cssText = `width:${width}px;height:400px;border:0;display:block`;
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  const ready = new Promise<void>((resolve) => {
    window.addEventListener('message', ({ source, data }) => {
      if (source === frame.contentWindow && data?.method === 'ui/notifications/sandbox-proxy-ready') resolve();
    });
  });
  frame.src = sandbox;
  document.body.append(frame);
  await ready;

  const capabilities = { serverTools: {}, message: { text: {} }, updateModelContext: { text: {} }, openLinks: {} };
  const bridge = new AppBridge(null, { name: 'test-host', version: '1.0.0' }, capabilities, { hostContext: context });
  bridge.oncalltool = ({ name, arguments: args }) => window.callTool(name, args);
  bridge.onmessage = async (message) => (await window.record('message', message), {});
  bridge.onupdatemodelcontext = async (update) => (await window.record('model-context', update), {});
  bridge.onrequestdisplaymode = async ({ mode }) => {
    await window.record('display-mode', mode);
    bridge.setHostContext({ ...context, displayMode: mode });
    return { mode };
  };
  bridge.onsizechange = ({ height }) => {
    if (height) frame.style.height = `${height}px`;
    void window.record('size', height);
  };
  window.changeContext = (changed) => bridge.setHostContext({ ...context, ...changed });
  window.sendResult = (later) => bridge.sendToolResult(later);
  const initialized = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  const target = frame.contentWindow;
  if (!target) throw new Error('the sandbox has no window');
  await bridge.connect(new PostMessageTransport(target, target));
  await bridge.sendSandboxResourceReady({ html });
  await initialized;
  await bridge.sendToolInput({ arguments: input });
  await bridge.sendToolResult(result);
};
