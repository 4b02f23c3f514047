import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityProblems, browserPath, launchBrowser } from '../browser/browser.test-helpers.ts';
import { startServe, temporaryDirectory } from '../cli/waymark.test-helpers.ts';

const examples = fileURLToPath(new URL('../../../../examples/', import.meta.url));
const built = fileURLToPath(new URL('../../assets/studio/', import.meta.url));

describe('the built studio', () => {
  test('loads at most 350 KB (gzipped) before its lazy parts', async () => {
    const page = await readFile(join(built, 'index.html'), 'utf8');
    const files = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => join(built, file ?? ''));
    const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(file)).length));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(files.length).toBeGreaterThan(1);
    expect(Math.round(total / 1024)).toBeLessThanOrEqual(350);
  });

  test('asks no other host for anything', async () => {
    for (const file of await readdir(join(built, 'assets'))) {
      if (!file.endsWith('.css')) continue;
      expect(await readFile(join(built, 'assets', file), 'utf8')).not.toMatch(/url\(["']?https?:/);
    }
  });
});

describe.skipIf(!browserPath)('the studio in a browser', () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof startServe>>;
  let root: string;
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    root = await temporaryDirectory();
    await mkdir(join(root, 'books'));
    await copyFile(join(examples, 'books/the-lamp-tax.hnpx'), join(root, 'books/lamp.hnpx'));
    await copyFile(join(examples, 'graphs/collatz.yaml'), join(root, 'collatz.yaml'));
    await copyFile(join(examples, 'graphs/approval.yaml'), join(root, 'approval.yaml'));
    const graphs = ['--graph', join(root, 'collatz.yaml'), '--graph', join(root, 'approval.yaml')];
    [server, browser] = await Promise.all([
      startServe(['--data', join(root, '.waymark'), '--root', root, '--log-level', 'silent', ...graphs]),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    server.child.kill('SIGTERM');
    await server.ended;
  });
  beforeEach(async () => {
    problems.length = 0;
    context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
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
  const visit = (path: string, on: Page = page) => on.goto(new URL(path, server.url).href);

  test.each([
    '/',
    '/chat',
    '/tasks',
    '/graphs',
    '/graphs/collatz',
    '/runs',
    '/inbox',
    '/books',
    '/console',
    '/nowhere',
  ])('%s is accessible in light and dark, and has a heading', async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await visit(path);
      await page.getByRole('heading').first().waitFor();
      await page.waitForLoadState('networkidle').catch(() => {});
      expect(await accessibilityProblems(page)).toEqual([]);
    }
  });

  test('a narrow screen has its navigation behind a button', async () => {
    await page.setViewportSize({ width: 375, height: 720 });
    await visit('/');
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('link', { name: 'Tasks' }).first().click();
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  });

  test('Ctrl+K goes anywhere', async () => {
    await visit('/');
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search commands').fill('console');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Console' }).waitFor();
  });

  test('a task added in the chat appears in another window, and is deleted only after a yes', async () => {
    const other = await context.newPage();
    await visit('/tasks', other);
    await visit('/chat');
    const say = async (text: string) => {
      await page.getByLabel('Message').fill(text);
      await page.keyboard.press('Enter');
    };
    await say('add water the plants tomorrow');
    await page.getByText("I've added 'water the plants'").waitFor();
    await other.getByText('water the plants').waitFor();

    await say('delete water the plants');
    await page.getByText("Are you sure you want to delete 'water the plants'?").waitFor();
    await page.reload();
    await page.getByText("Are you sure you want to delete 'water the plants'?").waitFor();
    await say('yes, delete it');
    await page.getByText("I've deleted 'water the plants'").waitFor();
    await other.getByText('water the plants').waitFor({ state: 'detached' });
  });

  test('tasks are added, changed, completed and brought back', async () => {
    await visit('/tasks');
    await page.getByLabel('Add a task').fill('Call the dentist tomorrow p1');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Edit Call the dentist' }).click();
    await page.getByLabel('Title').fill('Call the doctor');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('checkbox', { name: 'Complete Call the doctor' }).click();
    await page.getByText('Done', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Reopen Call the doctor' }).click();
    await page.getByText('Open', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Complete Call the doctor' }).waitFor();
  });

  test('a graph is run, watched, travelled through and forked', async () => {
    await visit('/graphs');
    await page.getByRole('link', { name: 'collatz' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^n/).fill('6');
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('status').getByText('succeeded').waitFor();
    const address = page.url();
    await page.getByText('"steps": 8').waitFor();

    await page.reload();
    await page.getByText('"steps": 8').waitFor();
    await page.getByRole('button', { name: 'Back one event' }).click();
    await page
      .getByText(/\d+ of \d+/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Forward one event' }).click();

    await page
      .getByRole('button', { name: /node-ended step/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Change the output…' }).click();
    await page.getByLabel('Output to go on with').fill('1');
    await page.getByRole('button', { name: 'Fork a new run from here' }).click();
    await page.getByText('forked from').waitFor();
    expect(page.url()).not.toBe(address);
    await page.getByRole('status').getByText('succeeded').waitFor();
  });

  test('a mistake in the file is shown in place and cannot be saved', async () => {
    await visit('/graphs/collatz');
    const editor = page.getByLabel('Graph file');
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nnonsense: true\n');
    await page.getByText(/to fix/).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
  });

  test('a run that asks is answered from the inbox', async () => {
    await fetch(new URL('/api/graphs/approval/runs', server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 'publish', arguments: { title: 'News', words: 1200 } }),
    });
    await visit('/inbox');
    await page.getByRole('button', { name: 'Approve' }).first().click();
    await page.getByText('Nobody waits for you').waitFor();
  });

  test('a book is read and a summary changed', async () => {
    await visit('/books');
    await page.getByRole('link', { name: 'books/lamp.hnpx' }).click();
    await page.getByRole('treeitem', { name: /An Unlisted Light/ }).click();
    const summary = page.getByLabel('Summary');
    await summary.fill('Orsa counts the lights and finds one too many.');
    await page.getByRole('button', { name: 'Save the summary' }).click();
    await page.getByRole('button', { name: 'Save the summary' }).and(page.locator(':disabled')).waitFor();
    await page.reload();
    expect(await page.getByLabel('Summary').inputValue()).toBe('Orsa counts the lights and finds one too many.');
  });

  test('a tool is called from the console and seen on the wire', async () => {
    await visit('/console?toolset=tasks&tool=add_task');
    await page.getByLabel(/^user_id/).fill('local');
    await page.getByLabel(/^title/).fill('From the console');
    await page.getByRole('button', { name: 'Call' }).click();
    await page.getByText('done', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /tools\/call add_task/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Send again' }).waitFor();
  });
});
