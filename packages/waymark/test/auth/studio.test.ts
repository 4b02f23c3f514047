import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath, launchBrowser } from '../browser/browser.test-helpers.ts';
import { password, startProtected } from './identity.test-helpers.ts';
import { Person } from './person.test-helpers.ts';

describe('the studio of a server that wants to know who is there', () => {
  let server: Awaited<ReturnType<typeof startProtected>>;
  beforeAll(async () => (server = await startProtected()));
  afterAll(() => server.close());

  test('answers its interface only to somebody who has signed in', async () => {
    for (const path of ['/api/tasks', '/api/events', '/api/chat/conversations']) {
      expect((await fetch(new URL(path, server.url))).status, path).toBe(401);
    }
    expect((await fetch(new URL('/api/info', server.url))).status).toBe(200);
  });

  test('never sends a person to an address that a link has smuggled in', async () => {
    for (const to of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const person = new Person();
      const login = await person.visit(new URL(`/login?to=${encodeURIComponent(to)}`, server.url));
      const landed = await person.submit(login, 'login', { user: 'ada', password });
      expect(landed.url.origin).toBe(server.url.origin);
      expect(landed.url.pathname).toBe('/');
    }
  });

  test('refuses an answer it did not ask for', async () => {
    const page = await new Person().visit(new URL('/login/callback?code=x&state=y', server.url));
    expect(page.status).toBe(400);
  });

  test.skipIf(!browserPath)('sends the browser to sign in and back to the page it wanted', async () => {
    const browser: Browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(new URL('/tasks?view=done', server.url).href);
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Tasks' }).waitFor();
    expect(new URL(page.url()).search).toBe('?view=done');
    await page.getByLabel('Add a task').fill('only for Ada');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Open', { exact: true }).click();
    await page.getByText('only for Ada').waitFor();
    const cookies = await page.context().cookies();
    expect(cookies.find((cookie) => cookie.name === 'waymark_studio')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
    });
    await browser.close();
  });
});
