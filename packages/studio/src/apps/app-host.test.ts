import { expect, test, vi } from 'vitest';
import { AppHost, type AppHostParts, type Message } from './app-host.ts';

function open(change: Partial<AppHostParts> = {}) {
  const sent: Message[] = [];
  const parts: AppHostParts = {
    html: '<p>app</p>',
    input: { goal: 'x' },
    result: { content: [], structuredContent: { a: 1 } },
    context: { theme: 'dark', displayMode: 'inline', availableDisplayModes: ['inline', 'fullscreen'], locale: 'en' },
    callTool: vi.fn(async () => ({ content: [] })),
    onMessage: vi.fn(),
    onHeight: vi.fn(),
    onDisplayMode: vi.fn(),
    post: (message) => sent.push(message),
    ...change,
  };
  return { host: new AppHost(parts), parts, sent };
}
const message = (method: string, params: unknown = {}, id?: number) => ({
  jsonrpc: '2.0',
  method,
  params,
  ...(id === undefined ? {} : { id }),
});

test('hands over the page, then the call that opened it', async () => {
  const { host, sent } = open();
  await host.receive(message('ui/notifications/sandbox-proxy-ready'));
  await host.receive(message('ui/initialize', {}, 1));
  await host.receive(message('ui/notifications/initialized'));
  expect(sent).toMatchObject([
    { method: 'ui/notifications/sandbox-resource-ready', params: { html: '<p>app</p>' } },
    { id: 1, result: { hostContext: { theme: 'dark' }, hostCapabilities: { serverTools: {} } } },
    { method: 'ui/notifications/tool-input', params: { arguments: { goal: 'x' } } },
    { method: 'ui/notifications/tool-result', params: { structuredContent: { a: 1 } } },
  ]);
});

test('passes on calls and messages, and refuses what it does not know', async () => {
  const { host, parts, sent } = open({
    callTool: async (name) => {
      if (name === 'secret') throw new Error('An app may not call secret');
      return { content: [{ type: 'text', text: name }] };
    },
  });
  await host.receive(message('tools/call', { name: 'hint', arguments: {} }, 1));
  await host.receive(message('tools/call', { name: 'secret' }, 2));
  await host.receive(message('ui/open-link', { url: 'https://example.org' }, 3));
  await host.receive(message('ui/message', { role: 'user', content: [{ type: 'text', text: 'I am ready' }] }, 4));
  expect(sent).toMatchObject([
    { id: 1, result: { content: [{ text: 'hint' }] } },
    { id: 2, error: { message: 'An app may not call secret' } },
    { id: 3, error: { code: -32601 } },
    { id: 4, result: {} },
  ]);
  expect(parts.onMessage).toHaveBeenCalledWith('I am ready');
});

test('follows sizes within reason, changes of looks, and full screen', async () => {
  const { host, parts, sent } = open();
  await host.receive(message('ui/notifications/size-changed', { width: 10, height: 300.4 }));
  await host.receive(message('ui/notifications/size-changed', { height: 1e9 }));
  expect(vi.mocked(parts.onHeight).mock.calls).toEqual([[301], [4000]]);
  host.changeContext({ theme: 'light' });
  expect(sent).toEqual([]);
  await host.receive(message('ui/notifications/initialized'));
  host.changeContext({ theme: 'dark' });
  expect(sent.at(-1)).toMatchObject({ method: 'ui/notifications/host-context-changed', params: { theme: 'dark' } });
  await host.receive(message('ui/request-display-mode', { mode: 'fullscreen' }, 5));
  expect(parts.onDisplayMode).toHaveBeenCalledWith('fullscreen');
});

test('does not answer what is no message', async () => {
  const { host, sent } = open();
  for (const data of [null, 'x', {}, { jsonrpc: '2.0' }, { jsonrpc: '2.0', id: 1, result: {} }])
    await host.receive(data);
  expect(sent).toEqual([]);
});
