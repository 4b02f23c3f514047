import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath, startWidgetHost, type WidgetHost } from './widget-host.test-helpers.ts';

const started = {
  content: [{ type: 'text' as const, text: 'Starting a new SAGE session. Please complete the check-in.' }],
  structuredContent: {
    sessionId: 'sess_abc123',
    learnerId: 'learner_xyz',
    suggestedGoal: 'negotiate pricing confidently',
    hasActiveOutcome: true,
    activeOutcome: { id: 'out_123', description: 'Price freelance services confidently' },
  },
};
const ready = {
  content: [{ type: 'text' as const, text: 'Check-in complete. SAGE will adapt to your current state.' }],
  structuredContent: {
    status: 'ready',
    sessionId: 'sess_abc123',
    adaptations: { pace: 'patient', depth: 'light', practiceEnabled: false },
  },
  _meta: { adaptations: { reasons: ['You have ten minutes, so we take one idea.'] } },
};

describe.skipIf(!browserPath)('the check-in widget', () => {
  let host: WidgetHost;
  beforeAll(async () => {
    host = await startWidgetHost();
  });
  afterAll(() => host?.close());

  test('sends what the learner chose, shows what follows from it and tells the conversation [SAGE-012]', async () => {
    const widget = await host.open('checkin', { result: started, callTool: () => ready });
    const { frame } = widget;
    expect(await frame.textContent('.goal')).toContain('Price freelance services confidently');
    expect(await frame.inputValue('#intention')).toBe('negotiate pricing confidently');
    await widget.screenshot('checkin-light');
    await frame.getByRole('radio', { name: 'Low' }).check();
    await frame.getByRole('radio', { name: '10 min' }).check();
    await frame.getByRole('radio', { name: 'On the move' }).check();
    await frame.fill('#intention', 'say my price without apologising');
    expect(await widget.accessibilityProblems()).toEqual([]);
    await frame.getByRole('button', { name: 'Begin' }).click();
    await frame.getByText('An unhurried pace').waitFor();

    expect(widget.calls).toEqual([
      {
        name: 'sage_checkin',
        args: {
          session_id: 'sess_abc123',
          energy: 'low',
          time_available: 10,
          intention: 'say my price without apologising',
          environment: 'commuting',
        },
      },
    ]);
    expect(await frame.textContent('.card')).toContain('You have ten minutes, so we take one idea.');
    expect(await frame.evaluate(() => document.activeElement?.textContent)).toBe('You are checked in');
    await expect
      .poll(() => widget.messages)
      .toEqual([
        "I have checked in: low energy, 10 minutes, on the move, I want to work on: say my price without apologising. Let's begin.",
      ]);
    expect(await widget.accessibilityProblems()).toEqual([]);
    expect(widget.requests).toEqual([]);
    await widget.screenshot('checkin-done');
  });

  test('can be filled in by keyboard alone, with any number of minutes', async () => {
    const widget = await host.open('checkin', { result: started, callTool: () => ready });
    const { page, frame } = widget;
    await frame.focus('#intention');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('25');
    await page.keyboard.press('Enter');
    await frame.getByText('You are checked in').waitFor();
    expect(widget.calls[0]?.args).toMatchObject({ energy: 'medium', time_available: 25 });
  });

  test('can be skipped', async () => {
    const widget = await host.open('checkin', { result: started, callTool: () => ready });
    await widget.frame.getByRole('button', { name: 'Skip the questions' }).click();
    await expect.poll(() => widget.messages).toEqual(["I skipped the check-in. Let's begin."]);
    expect(widget.calls[0]?.args).toEqual({ session_id: 'sess_abc123' });
  });

  test('says what went wrong in the words of the server and lets the learner try again', async () => {
    let attempts = 0;
    const gone = {
      isError: true,
      content: [{ type: 'text' as const, text: 'Session not found' }],
      structuredContent: { error: 'SESSION_NOT_FOUND' },
    };
    const widget = await host.open('checkin', { result: started, callTool: () => (attempts++ === 0 ? gone : ready) });
    const begin = widget.frame.getByRole('button', { name: 'Begin' });
    await begin.click();
    expect(await widget.frame.getByRole('alert').textContent()).toBe('Session not found');
    expect(widget.messages).toEqual([]);
    expect(await widget.accessibilityProblems()).toEqual([]);
    await begin.click();
    await widget.frame.getByText('You are checked in').waitFor();
  });

  test('is readable in the dark, on a narrow screen and in another language', async () => {
    const widget = await host.open('checkin', {
      result: started,
      context: { theme: 'dark', locale: 'de-AT' },
      width: 320,
    });
    await widget.frame.getByRole('button', { name: 'Anfangen' }).waitFor();
    expect(await widget.frame.getAttribute('html', 'lang')).toBe('de');
    expect(await widget.accessibilityProblems()).toEqual([]);
    expect(await widget.frame.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await widget.screenshot('checkin-dark-narrow');
    await widget.changeContext({ theme: 'light', locale: 'en' });
    await widget.frame.getByRole('button', { name: 'Begin' }).waitFor();
    expect(await widget.frame.getAttribute('html', 'data-theme')).toBe('light');
  });

  test('works through window.openai where the standard bridge is missing', async () => {
    const page = await host.openAlone(
      'checkin',
      `window.asked = []; window.openai = {
        theme: 'dark', locale: 'en-US', toolOutput: ${JSON.stringify(started.structuredContent)}, toolResponseMetadata: {},
        callTool: async (name, args) => (window.asked.push([name, args]), ${JSON.stringify(ready)}),
        sendFollowUpMessage: async ({ prompt }) => void window.asked.push(['say', prompt]),
        setWidgetState: (state) => void window.asked.push(['state', state]),
        notifyIntrinsicHeight: (height) => { window.height = height; },
      };`,
    );
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.getByText('You are checked in').waitFor();
    const asked = await page.evaluate('window.asked');
    expect(asked).toMatchObject([
      ['sage_checkin', { session_id: 'sess_abc123', intention: 'negotiate pricing confidently' }],
      ['state', { pace: 'patient' }],
      ['say', "I have checked in: I want to work on: negotiate pricing confidently. Let's begin."],
    ]);
    await expect.poll(() => page.evaluate('window.height > 100')).toBe(true);
  });

  test.each(['checkin', 'progress', 'graph', 'practice'] as const)(
    '%s is readable text without any host',
    async (name) => {
      const page = await host.openAlone(name);
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.textContent('main')).toMatch(/tutor/);
    },
  );
});
