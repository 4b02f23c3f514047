import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityProblems, browserPath, launchBrowser } from '../browser/browser.test-helpers.ts';
import { startServe, temporaryDirectory } from '../cli/waymark.test-helpers.ts';

const examples = fileURLToPath(new URL('../../../../examples/sop/', import.meta.url));
const broken = '# Nothing works\n\n```mermaid\nflowchart TD\n    A[Begin] --> end\n```\n';

describe.skipIf(!browserPath)('procedures in the studio', () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof startServe>>;
  let root: string;
  let context: BrowserContext;
  let page: Page;
  let agent: Client;
  const problems: string[] = [];

  const start = (port = '0') =>
    startServe(['--port', port, '--data', join(root, '.waymark'), '--root', root, '--log-level', 'silent']);
  const stop = async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  };
  const visit = (path: string, on: Page = page) => on.goto(new URL(path, server.url).href);
  const call = async (name: string, args: Record<string, unknown>) =>
    (await agent.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
  const begin = async () => {
    const { conversation_id: id } = await call('load_graph', {
      sop_file: 'sops/retail.md',
      conversation_id: 'new',
    });
    return id as string;
  };
  const connect = async () => {
    agent = new Client({ name: 'agent', version: '1' });
    await agent.connect(new StreamableHTTPClientTransport(new URL('/mcp/sop', server.url)));
  };

  beforeAll(async () => {
    root = await temporaryDirectory();
    await mkdir(join(root, 'sops'));
    await copyFile(join(examples, 'retail.md'), join(root, 'sops/retail.md'));
    await copyFile(join(examples, 'refund.md'), join(root, 'refund.md'));
    await writeFile(join(root, 'broken.md'), broken);
    [server, browser] = await Promise.all([start(), launchBrowser()]);
    await connect();
  });
  afterAll(async () => {
    await agent.close();
    await browser.close();
    await stop();
  });
  beforeEach(async () => {
    problems.length = 0;
    context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' });
    page = await context.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== server.url.origin && !request.url().startsWith('data:'))
        problems.push(request.url());
    });
  });
  afterEach(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });

  test('every screen is accessible in light and dark', async () => {
    const id = await begin();
    await call('goto_node', { node_ids: ['START', 'AUTH', 'DENY'], conversation_id: id });
    const screens = [
      '/sops',
      `/sops/${encodeURIComponent('sops/retail.md')}?step=AUTH&coverage=on`,
      `/sops/${encodeURIComponent('sops/retail.md')}?view=list`,
      '/sops/broken.md',
      `/sops/conversations/${id}`,
    ];
    for (const screen of screens) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await visit(screen);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle').catch(() => {});
        expect({ screen, colorScheme, found: await accessibilityProblems(page) }).toEqual({
          screen,
          colorScheme,
          found: [],
        });
      }
    }
  });

  test('a procedure is read as a picture, a list and a file, and the address remembers', async () => {
    await visit('/sops');
    await page.getByRole('link', { name: 'sops/retail.md' }).click();
    await page.getByRole('region', { name: /Flowchart of/ }).waitFor();
    await page
      .getByRole('group', { name: /Authenticate via email/ })
      .or(page.locator('[data-id="AUTH"]'))
      .first()
      .click();
    await page.getByRole('heading', { name: 'AUTH' }).waitFor();
    await page.getByText('find_user_id_by_email').first().waitFor();
    await page.getByRole('combobox', { name: 'Find a step' }).fill('DENY_R');
    await page.getByRole('option', { name: /^DENY_RETURN/ }).click();
    await page.getByRole('heading', { name: 'DENY_RETURN' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'sops/retail.md' }).click();
    await page.locator('[data-id="AUTH"]').click();
    await page.getByText('List', { exact: true }).click();
    await page.getByRole('row', { name: /^AUTH/ }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'AUTH' }).waitFor();
    await page.getByRole('row', { name: /^AUTH/ }).waitFor();
  });

  test('a label and instructions are changed where they stand, and nothing else', async () => {
    const before = await readFile(join(root, 'sops/retail.md'), 'utf8');
    await visit(`/sops/${encodeURIComponent('sops/retail.md')}?step=AUTH`);
    await page.getByLabel('Label').fill('Find out who it is');
    await page.getByRole('button', { name: 'Save the label' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.locator('[data-id="AUTH"]').getByText('Find out who it is').waitFor();
    const after = await readFile(join(root, 'sops/retail.md'), 'utf8');
    expect(after).toBe(before.replace('"Authenticate via email or name + zip"', '"Find out who it is"'));
    await writeFile(join(root, 'sops/retail.md'), before);
    await page.getByLabel('Label').fill('Too late');
    await page.getByRole('button', { name: 'Save the label' }).click();
    await page.getByText('has changed since it was read').waitFor();
    expect(await readFile(join(root, 'sops/retail.md'), 'utf8')).toBe(before);
    await page.getByRole('button', { name: 'Undo' }).click();

    const words = await page.getByRole('textbox', { name: 'Instructions' }).inputValue();
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Ask for the email address first.');
    await page.getByRole('button', { name: 'Save the instructions' }).click();
    await page.getByRole('button', { name: 'Save the instructions' }).waitFor({ state: 'detached' });
    const changed = await readFile(join(root, 'sops/retail.md'), 'utf8');
    expect(changed).toContain('Ask for the email address first.');
    expect(changed.length - before.length).toBe('Ask for the email address first.'.length - words.length);
    await writeFile(join(root, 'sops/retail.md'), before);
  });

  test('a file that does not load says why, at the line', async () => {
    await visit('/sops/broken.md');
    await page.getByText('1 to fix').waitFor();
    const line = page.getByRole('region', { name: 'File' }).getByRole('listitem').nth(4);
    expect(await line.textContent()).toMatch(/A\[Begin\] --> end.+end/s);
  });

  test('a conversation is followed live, in two windows, and replayed after a restart', async () => {
    const id = await begin();
    const other = await context.newPage();
    await visit('/sops', other);
    await visit(`/sops/conversations/${id}`);
    const status = page.getByRole('status').first();
    await status.getByText('not begun').waitFor();
    await call('goto_node', { node_ids: ['START', 'AUTH'], conversation_id: id });
    await status.getByText('at AUTH').waitFor();
    await other.getByRole('row', { name: new RegExp(`^${id.slice(0, 8)}.*AUTH`) }).waitFor();
    await call('goto_node', { node_id: 'INFO', conversation_id: id });
    await status.getByText('1 refused').waitFor();
    await page.getByRole('button', { name: /Refused AUTH → INFO: no arrow leads there/ }).waitFor();
    await call('todo', {
      conversation_id: id,
      todos: [{ content: 'Return the lamp', status: 'in_progress' }],
    });
    await page.getByRole('region', { name: 'Todos' }).getByText('Return the lamp').waitFor();

    await agent.close();
    await stop();
    server = await start(server.url.port);
    await connect();
    await page.reload();
    await status.getByText('at AUTH').waitFor();
    await page.getByRole('region', { name: 'Todos' }).getByText('Return the lamp').waitFor();
    await page.getByRole('button', { name: /Began at START/ }).click();
    await status.getByText('at START').waitFor();
    await page.getByRole('region', { name: 'Todos' }).getByText('None written down').waitFor();
    await page.reload();
    await status.getByText('at START').waitFor();
    await page.getByRole('button', { name: 'Forward one event' }).click();
    await status.getByText('at AUTH').waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe('3');
  });

  test('coverage shows what was walked', async () => {
    await visit(`/sops/${encodeURIComponent('sops/retail.md')}?step=AUTH`);
    await page.getByRole('switch', { name: 'Coverage' }).click();
    await page.getByText(/conversations? · steps \d+ of 40/).waitFor();
    await page
      .locator('[data-id="AUTH"]')
      .getByText(/AUTH · walked/)
      .waitFor();
    await page.reload();
    await page
      .locator('[data-id="AUTH"]')
      .getByText(/AUTH · walked/)
      .waitFor();
  });

  test('a narrow screen shows the same, one below the other', async () => {
    await page.setViewportSize({ width: 375, height: 720 });
    await visit(`/sops/${encodeURIComponent('sops/retail.md')}?step=AUTH`);
    await page.getByRole('heading', { name: 'AUTH' }).scrollIntoViewIfNeeded();
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  });
});
