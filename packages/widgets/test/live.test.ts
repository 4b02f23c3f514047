import { fileURLToPath } from 'node:url';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectSage, type TestTutor } from '../../waymark/src/sage/sage.test-helpers.ts';
import type { Store } from '../../waymark/src/store/index.ts';
import { openTestStore } from '../../waymark/src/store/store.test-helpers.ts';
import {
  browserPath,
  type CallTool,
  startWidgetHost,
  type WidgetHost,
  widgetHtml,
} from './widget-host.test-helpers.ts';

const packs = fileURLToPath(new URL('../../waymark/assets/packs', import.meta.url));

/** What a host does with a call from a widget: only tools that are there for widgets. */
async function callsOf(client: Client): Promise<CallTool> {
  const { tools } = await client.listTools();
  const open = new Set(
    tools
      .filter((tool) => (tool._meta?.['ui'] as { visibility?: string[] } | undefined)?.visibility?.includes('app'))
      .map(({ name }) => name),
  );
  return async (name, args) => {
    if (!open.has(name)) throw new Error(`${name} is not there for widgets`);
    return (await client.callTool({ name, arguments: args })) as CallToolResult;
  };
}

describe.skipIf(!browserPath)('the widgets on the live tutor', () => {
  let host: WidgetHost;
  let store: Store;
  let tutor: TestTutor;
  let callTool: CallTool;
  const run = async (name: string, args: Record<string, unknown> = {}) =>
    (await tutor.client.callTool({ name, arguments: args })) as CallToolResult;

  beforeAll(async () => {
    [host, store] = await Promise.all([startWidgetHost(), openTestStore()]);
    tutor = await connectSage(store, { services: { packs } });
    callTool = await callsOf(tutor.client);
  });
  afterAll(async () => {
    await host?.close();
    await store?.close();
  });

  test('the server hands out the widgets as they were built [SAGE-002]', async () => {
    for (const name of ['checkin', 'progress', 'graph', 'practice'] as const) {
      const { contents } = await tutor.client.readResource({ uri: `ui://widget/${name}.html` });
      expect(contents).toMatchObject([{ text: widgetHtml(name) }]);
    }
  });

  test('checking in, learning, and seeing it in the progress and in the graph [SAGE-012] [SAGE-022]', async () => {
    const started = await run('sage_start_session', { goal: 'negotiate pricing confidently' });
    const checkin = await host.open('checkin', { result: started, callTool });
    await checkin.frame.getByRole('radio', { name: 'High' }).check();
    await checkin.frame.getByRole('radio', { name: '60 min' }).check();
    await checkin.frame.getByRole('radio', { name: 'Quiet' }).check();
    await checkin.frame.getByRole('button', { name: 'Begin' }).click();
    await checkin.frame.getByText('Deep explanations').waitFor();
    await checkin.frame.getByText('A quick pace').waitFor();
    await checkin.frame.getByRole('button', { name: 'Change my answers' }).click();
    await checkin.frame.getByRole('radio', { name: '10 min' }).check();
    await checkin.frame.getByRole('button', { name: 'Begin' }).click();
    await checkin.frame.getByText('Short explanations').waitFor();

    const session = (started.structuredContent as { sessionId: string }).sessionId;
    const [message] = checkin.messages;
    await run('sage_message', { session_id: session, message: message ?? '' });
    await run('sage_message', { session_id: session, message: 'I have no idea, I just guess a number' });
    const solid = [
      "It's my expenses and my salary for the year, and a lot of my time is unpaid. I use it as the minimum, to know when to walk away.",
      "Only maybe half of those hours are billable, so his floor is about 60. He should turn it down, it's below what he needs.",
      'For a charity I care about, but only once and I would tell them what the full price is.',
    ];
    for (const answer of solid) await run('sage_message', { session_id: session, message: answer });

    const progress = await host.open('progress', { result: await run('sage_progress'), callTool });
    await progress.frame.getByRole('button', { name: 'Refresh' }).click();
    const shown = (await progress.frame.textContent('.card')) ?? '';
    expect(shown).toContain('Price freelance services confidently');
    expect(shown).toContain('1 of 6 ideas proven');
    expect(shown).toMatch(/“[^”]{8,}”/);
    expect(await progress.accessibilityProblems()).toEqual([]);
    await progress.screenshot('live-progress');

    const graph = await host.open('graph', { result: await run('sage_graph'), callTool, context: { theme: 'dark' } });
    await graph.frame.getByRole('img', { name: 'Your Floor: Idea, Proven' }).waitFor();
    await graph.screenshot('live-graph');
    await graph.frame.getByLabel('Proven only').check();
    await graph.frame.getByText(/^2 nodes, 1 links?, 1 proven$/).waitFor();
    await graph.frame.getByLabel('Proven only').uncheck();
    await graph.frame.getByRole('button', { name: 'List' }).click();
    await graph.frame.getByRole('button', { name: 'Stating the Price' }).click();
    expect(await graph.frame.locator('.details').textContent()).toContain('one plain sentence');
    expect(await graph.accessibilityProblems()).toEqual([]);
  });

  test('a role play from the first line to feedback with quotes [SAGE-061]', async () => {
    const practice = await host.open('practice', {
      result: await run('sage_practice_start', { scenario_id: 'preset-pricing-call' }),
      callTool,
    });
    const { frame, page } = practice;
    const log = frame.getByRole('log');
    await log.getByText('$150 an hour').waitFor();
    await frame.getByRole('button', { name: 'Give me a hint' }).click();
    await log.getByText('Hint:').waitFor();
    for (const [said, answer] of [
      ['Before we talk about the rate, what would it change for you if this worked?', 'forty orders a month'],
      ['You lose 3,200 a month with that, so the work pays for itself in spring.', 'something about the rate'],
      ['I can work with your budget if we leave out the reports.', 'in writing'],
    ] as const) {
      await frame.fill('#reply', said);
      await page.keyboard.press('Enter');
      await log.getByText(answer).waitFor();
    }
    await frame.getByText('The scene has come to its end').waitFor();
    await practice.screenshot('live-practice');
    await frame.getByRole('button', { name: 'End and get feedback' }).click();
    await frame.getByText('What worked').waitFor();
    const shown = (await frame.textContent('.card')) ?? '';
    expect(shown).toContain('what would it change for you if this worked');
    expect(shown).toContain('You used 1 hint.');
    expect(await practice.accessibilityProblems()).toEqual([]);
    await practice.screenshot('live-feedback');

    const ended = await host.open('practice', {
      result: await run('sage_practice_end', { session_id: String(practice.calls.at(-1)?.args['session_id']) }),
      callTool,
      width: 340,
    });
    await ended.frame.getByText('Read the conversation again').click();
    await ended.frame.getByText('leave out the reports', { exact: false }).first().waitFor();
  });
});
