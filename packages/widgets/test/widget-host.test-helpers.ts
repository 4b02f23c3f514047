import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Browser, Frame, Page } from 'playwright-core';
import { build } from 'vite';
import { browserPath, launchBrowser } from '../../waymark/test/browser/browser.test-helpers.ts';

export { browserPath };
export type WidgetName = 'checkin' | 'progress' | 'graph' | 'practice';
export type CallTool = (name: string, args: Record<string, unknown>) => CallToolResult | Promise<CallToolResult>;

export interface WidgetHost {
  open(name: WidgetName, options: OpenOptions): Promise<OpenWidget>;
  /** The bare file in a window of its own, with a script before it. */
  openAlone(name: WidgetName, before?: string): Promise<Page>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly result: CallToolResult;
  readonly callTool?: CallTool;
  readonly context?: McpUiHostContext;
  readonly width?: number;
}

export interface OpenWidget {
  readonly page: Page;
  readonly frame: Frame;
  readonly calls: { readonly name: string; readonly args: Record<string, unknown> }[];
  /** Texts that the widget put into the conversation. */
  readonly messages: string[];
  readonly records: { readonly kind: string; readonly what: unknown }[];
  /** Requests for anything but the host's own two pages. */
  readonly requests: string[];
  accessibilityProblems(): Promise<string[]>;
  changeContext(context: McpUiHostContext): Promise<void>;
  sendResult(result: CallToolResult): Promise<void>;
  screenshot(name: string): Promise<void>;
}

const contentPolicy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'none'; frame-src 'self'; base-uri 'none'; form-action 'none'";

const sandboxPage = `<!doctype html><html lang="en"><title>sandbox</title><style>html,body{margin:0;height:100%}iframe{width:100%;height:100%;border:0;display:block}</style><body><script>
const inner = document.createElement('iframe');
inner.title = 'content';
inner.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
document.body.append(inner);
addEventListener('message', (event) => {
  if (event.source === parent) {
    if (event.data?.method === 'ui/notifications/sandbox-resource-ready') {
      inner.contentDocument.open();
      inner.contentDocument.write(event.data.params.html);
      inner.contentDocument.close();
    } else inner.contentWindow.postMessage(event.data, '*');
  } else if (event.source === inner.contentWindow) parent.postMessage(event.data, '*');
});
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script>`;

export function widgetHtml(name: WidgetName): string {
  return readFileSync(new URL(`../../waymark/assets/widgets/${name}.html`, import.meta.url), 'utf8');
}

/** A browser with a host page; the widget's own frame is on another origin, as in real hosts. */
export async function startWidgetHost(): Promise<WidgetHost> {
  const script = await bundledHost();
  const hostPage = `<!doctype html><html lang="en"><title>host</title><body style="margin:0"><script type="module">${script.replaceAll('</script', String.raw`<\/script`)}</script>`;
  const [hostServer, sandboxServer] = await Promise.all([
    serve(hostPage, {}),
    serve(sandboxPage, { 'content-security-policy': contentPolicy }),
  ]);
  const hostUrl = `http://localhost:${portOf(hostServer)}/`;
  const sandbox = `http://127.0.0.1:${portOf(sandboxServer)}/`;
  const browser: Browser = await launchBrowser();

  return {
    open: async (name, { result, callTool, context = {}, width = 640 }) => {
      const browserContext = await browser.newContext({ viewport: { width: Math.max(width, 320), height: 900 } });
      const page = await browserContext.newPage();
      const opened: Pick<OpenWidget, 'calls' | 'messages' | 'records' | 'requests'> = {
        calls: [],
        messages: [],
        records: [],
        requests: [],
      };
      page.on('request', (request) => {
        if (![hostUrl, sandbox].includes(request.url()) && !request.url().endsWith('/favicon.ico'))
          opened.requests.push(request.url());
      });
      page.on('pageerror', (error) => opened.records.push({ kind: 'error', what: error.message }));
      await page.exposeFunction('callTool', async (tool: string, args: Record<string, unknown> = {}) => {
        opened.calls.push({ name: tool, args });
        if (!callTool) throw new Error(`unexpected call of ${tool}`);
        return callTool(tool, args);
      });
      await page.exposeFunction('record', (kind: string, what: unknown) => {
        opened.records.push({ kind, what });
        if (kind === 'message') opened.messages.push(textOf(what));
      });
      await page.goto(hostUrl);
      const html = widgetHtml(name);
      const options = { html, sandbox, context, input: {}, result, width };
      await page.evaluate(`window.openWidget(${JSON.stringify(options)})`);
      const frame = page.frames().find((candidate) => candidate.parentFrame()?.parentFrame());
      if (!frame) throw new Error('the widget has no frame');
      await frame.waitForSelector('#app[data-drawn=yes] h1');
      return {
        page,
        frame,
        ...opened,
        accessibilityProblems: async () => {
          const { violations } = await new AxeBuilder({ page }).analyze();
          return violations
            .filter(({ nodes }) => nodes.some(({ target }) => target.length > 1))
            .map(
              ({ id, nodes }) =>
                `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join(' | ')}`,
            );
        },
        changeContext: (changed) => page.evaluate(`window.changeContext(${JSON.stringify(changed)})`),
        sendResult: (later) => page.evaluate(`window.sendResult(${JSON.stringify(later)})`),
        screenshot: async (file) => {
          const folder = process.env['WAYMARK_SCREENSHOTS'];
          if (folder) await page.screenshot({ path: `${folder}/${file}.png`, fullPage: true });
        },
      };
    },
    openAlone: async (name, before = '') => {
      const page = await browser.newPage();
      if (before) await page.addInitScript(before);
      await page.goto(hostUrl);
      await page.setContent(widgetHtml(name));
      return page;
    },
    close: async () => {
      await browser.close();
      for (const server of [hostServer, sandboxServer]) {
        server.closeAllConnections();
        await new Promise((resolve) => void server.close(resolve));
      }
    },
  };
}

async function bundledHost(): Promise<string> {
  const built = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      rollupOptions: { input: fileURLToPath(new URL('host-page.ts', import.meta.url)) },
    },
  });
  if (Array.isArray(built) || !('output' in built)) throw new Error('expected one bundle');
  return built.output.map((part) => (part.type === 'chunk' ? part.code : '')).join('\n');
}

async function serve(html: string, headers: Readonly<Record<string, string>>): Promise<Server> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function textOf(message: unknown): string {
  const { content } = message as { content: { text?: string }[] };
  return content.map(({ text = '' }) => text).join('\n');
}
