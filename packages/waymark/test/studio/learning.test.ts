import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityProblems, browserPath, launchBrowser } from '../browser/browser.test-helpers.ts';
import { startServe, temporaryDirectory } from '../cli/waymark.test-helpers.ts';

describe.skipIf(!browserPath)('learning in the studio', () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof startServe>>;
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];
  const visit = (path: string) => page.goto(new URL(path, server.url).href);

  beforeAll(async () => {
    const root = await temporaryDirectory();
    [server, browser] = await Promise.all([
      startServe(['--data', join(root, '.waymark'), '--root', root, '--log-level', 'silent']),
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

  test('a new learner checks in, talks to the tutor and sees the goal', async () => {
    await visit('/learn?view=knowledge');
    await page.getByText('Nothing is known yet').waitFor();
    await page.getByText('Sessions', { exact: true }).click();
    await page.getByLabel('What do you want to be able to do?').fill('Ask for a raise and be heard');
    await page.getByRole('button', { name: 'Start a session' }).click();

    const checkin = page.frameLocator('iframe[title="Check-in"]');
    await checkin.getByRole('radio', { name: 'Low' }).check();
    await checkin.getByRole('radio', { name: '10 min' }).check();
    await checkin.getByRole('button', { name: 'Begin' }).click();
    await checkin.getByText('You are checked in').waitFor();
    const log = page.getByRole('log', { name: 'Session' });
    await log.getByText(/^I have checked in: low energy/).waitFor();

    const count = await log.locator('p').count();
    await page.getByLabel('Your words').fill('I want to ask my boss for a raise');
    await page.getByRole('button', { name: 'Say it' }).click();
    await expect.poll(() => log.locator('p').count()).toBeGreaterThan(count + 1);
    await page.reload();
    await log.getByText('I want to ask my boss for a raise').waitFor();

    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByText('Next', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sessions' }).click();
    await page.getByText('ended', { exact: true }).waitFor();
  });

  test('what is known is a picture, a list and a widget of the same things', async () => {
    await visit('/learn?view=knowledge');
    const picture = page.getByRole('region', { name: 'Knowledge graph' });
    await picture.waitFor();
    const names = await picture.locator('strong').allTextContents();
    expect(names.length).toBeGreaterThan(1);
    await page.getByText('List', { exact: true }).click();
    for (const name of names) await page.getByRole('cell', { name, exact: true }).waitFor();
    await page.getByText('Widget', { exact: true }).click();
    const widget = page.frameLocator('iframe[title="Knowledge graph"]');
    await widget.getByText('What you know').waitFor();
  });

  test('the progress widget leads back to the tutor', async () => {
    await visit('/learn');
    const widget = page.frameLocator('iframe[title="Progress"]');
    await widget.getByRole('button', { name: 'Continue learning' }).click();
    await page
      .getByRole('log', { name: 'Session' })
      .getByText(/^Let's continue/)
      .waitFor();
    expect(new URL(page.url()).searchParams.get('session')).toMatch(/^sess_/);
  });

  test('a scene is played to its feedback', async () => {
    await visit('/learn?view=practice');
    await page
      .getByRole('button', { name: /^Practise / })
      .first()
      .click();
    const widget = page.frameLocator('iframe[title="Practice"]');
    await widget.getByRole('textbox').fill('I would like to talk about what my work has changed.');
    await widget.getByRole('button', { name: 'Send' }).click();
    await widget.getByRole('log').getByText('what my work has changed').waitFor();
    await widget.getByRole('button', { name: 'End and get feedback' }).click();
    await widget.getByText('What to try next time').or(widget.getByText('What worked')).first().waitFor();
  });

  test('an app can reach neither the page around it nor any address', async () => {
    const answer = await page.request.get(new URL('/sandbox.html', server.url).href);
    expect(answer.headers()['content-security-policy']).toMatch(/^sandbox allow-scripts/);
    await visit('/learn');
    await page.frameLocator('iframe[title="Progress"]').getByText('Your progress').waitFor();
    const frame = page.frames().find((candidate) => candidate.url().endsWith('/sandbox.html'));
    const attempt = (script: string) =>
      frame?.evaluate(`(async () => ${script})().then(() => 'reached', () => 'refused')`);
    const reach = {
      page: await attempt('window.parent.document.title'),
      storage: await attempt('window.localStorage.length'),
      network: await attempt("fetch('/api/info', { mode: 'no-cors' })"),
    };
    expect(await attempt('document.title')).toBe('reached');
    expect(reach).toEqual({ page: 'refused', storage: 'refused', network: 'refused' });
  });

  test('every view is accessible in light and dark, and fits a narrow screen', async () => {
    for (const view of ['', '?view=sessions', '?view=practice', '?view=knowledge', '?view=knowledge&as=list']) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await visit(`/learn${view}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle').catch(() => {});
        const found = await accessibilityProblems(page);
        expect({ view, colorScheme, found }).toEqual({ view, colorScheme, found: [] });
      }
      await page.setViewportSize({ width: 375, height: 720 });
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      await page.setViewportSize({ width: 1280, height: 860 });
    }
  });
});
