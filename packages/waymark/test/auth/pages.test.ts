import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, browserPath, launchBrowser } from '../browser/browser.test-helpers.ts';
import { createClientProvider, newClient, password, startProtected } from './identity.test-helpers.ts';

describe.skipIf(!browserPath)('signing in with a real browser', () => {
  let server: Awaited<ReturnType<typeof startProtected>>;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startProtected(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['narrow and without scripts', { viewport: { width: 320, height: 640 }, javaScriptEnabled: false }],
  ] as const)('%s', async (name, options) => {
    const { provider, memory } = createClientProvider({ name: 'Desk <b>companion</b>' });
    const transport = new StreamableHTTPClientTransport(server.endpoint, { authProvider: provider });
    await newClient()
      .connect(transport)
      .catch(() => {});
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const checked = name.includes('without scripts') ? async () => [] : accessibilityProblems;

    await page.goto(memory.redirect!.href);
    expect(await checked(page)).toEqual([]);
    if (process.env['WAYMARK_SCREENSHOTS'])
      await page.screenshot({ path: `${process.env['WAYMARK_SCREENSHOTS']}/login-${name}.png` });
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password').fill('not the right one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert').textContent()).resolves.toBe('Name or password is wrong.');
    expect(await checked(page)).toEqual([]);

    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading').textContent()).resolves.toBe('Desk <b>companion</b> asks for access');
    expect(await checked(page)).toEqual([]);
    if (process.env['WAYMARK_SCREENSHOTS'])
      await page.screenshot({ path: `${process.env['WAYMARK_SCREENSHOTS']}/consent-${name}.png` });

    const sentBack = page.waitForRequest((request) => request.url().startsWith('http://localhost:9/callback'));
    await page.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true });
    const callback = new URL((await sentBack).url());
    await transport.finishAuth(callback.searchParams);
    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(server.endpoint, { authProvider: provider }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
    await context.close();
  });
});
