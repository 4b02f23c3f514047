import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath, startWidgetHost, type WidgetHost } from './widget-host.test-helpers.ts';

const content = [{ type: 'text' as const, text: "Here's your learning progress." }];
const progress = {
  content,
  structuredContent: {
    activeOutcome: {
      id: 'out_123',
      description: 'Price freelance services confidently',
      progress: 0.65,
      conceptsRequired: 5,
      conceptsProven: 3,
    },
    stats: { totalSessions: 12, totalProofs: 8, totalConcepts: 15, streakDays: 3 },
    recentProofs: [
      { concept: 'Value Anchoring', earnedAt: '2024-01-15' },
      { concept: 'Handling Objections', earnedAt: '2024-01-14' },
    ],
  },
  _meta: {
    fullState: {
      outcomes: [{ id: 'out_123', requires: ['con_1', 'con_2', 'con_3'] }],
      concepts: [
        { id: 'con_1', displayName: 'Value Anchoring', status: 'understood' },
        { id: 'con_2', displayName: 'Discount Requests', status: 'teaching' },
        { id: 'con_3', displayName: 'Walking Away', status: 'identified' },
        { id: 'con_9', displayName: 'Sampling', status: 'identified' },
      ],
      proofs: [
        {
          displayName: 'Value Anchoring',
          evidence: [{ quotes: [{ criterion: 'first', quote: 'the first figure is what they compare with' }] }],
        },
      ],
      pendingFollowups: [{ context: 'the call with Acme' }],
      upcomingApplications: [{ context: 'pricing call', plannedDate: '2024-01-23' }],
      dueReviews: [{ displayName: 'Handling Objections' }],
    },
  },
};
const fresh = {
  content,
  structuredContent: {
    activeOutcome: null,
    stats: { totalSessions: 0, totalProofs: 0, totalConcepts: 0, streakDays: 0 },
    recentProofs: [],
  },
};

describe.skipIf(!browserPath)('the progress widget', () => {
  let host: WidgetHost;
  beforeAll(async () => {
    host = await startWidgetHost();
  });
  afterAll(() => host?.close());

  test('shows the goal, the numbers, the proofs with the learner’s words, and what comes next', async () => {
    const widget = await host.open('progress', { result: progress });
    const { frame } = widget;
    expect(await frame.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('65');
    const shown = (await frame.textContent('.card')) ?? '';
    for (const expected of [
      'Price freelance services confidently',
      '3 of 5 ideas proven',
      'the first figure is what they compare with',
      'Jan 15, 2024',
      'Tell your tutor how it went: the call with Acme',
      'pricing call (Jan 23, 2024)',
      'Next idea: Discount Requests',
      '1 idea is due for a short review',
    ]) {
      expect(shown).toContain(expected);
    }
    expect(await frame.locator('.numbers dd').allTextContents()).toEqual(['12', '8', '15', '3']);
    expect(shown).toContain('Walking Away');
    expect(shown).not.toContain('Sampling');
    expect(await widget.accessibilityProblems()).toEqual([]);
    expect(widget.requests).toEqual([]);
    await widget.screenshot('progress-light');
  });

  test('carries on, reviews and refreshes', async () => {
    const later = { ...progress, structuredContent: { ...progress.structuredContent, stats: { totalSessions: 13 } } };
    const widget = await host.open('progress', { result: progress, callTool: () => later });
    await widget.frame.getByRole('button', { name: 'Continue learning' }).click();
    await expect
      .poll(() => widget.messages)
      .toEqual(["Let's continue with my goal: Price freelance services confidently"]);
    await widget.frame.getByRole('button', { name: 'Review now' }).click();
    await expect.poll(() => widget.messages.at(-1)).toBe("Let's review what is due.");
    await widget.frame.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => widget.frame.locator('.numbers dd').first().textContent()).toBe('13');
    expect(widget.calls).toEqual([{ name: 'sage_progress', args: {} }]);
  });

  test('begins with a goal where there is none, in the dark on a narrow screen', async () => {
    const widget = await host.open('progress', { result: fresh, context: { theme: 'dark' }, width: 320 });
    await widget.frame.getByRole('button', { name: 'Set a goal' }).click();
    await expect.poll(() => widget.messages).toEqual(['Help me set a learning goal.']);
    expect(await widget.accessibilityProblems()).toEqual([]);
    await widget.sendResult(progress);
    await widget.frame.getByText('3 of 5 ideas proven').waitFor();
    expect(await widget.accessibilityProblems()).toEqual([]);
    expect(await widget.frame.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await widget.screenshot('progress-dark-narrow');
  });

  test('takes the colours of the host', async () => {
    const variables = { '--color-background-primary': 'rgb(255, 250, 240)' };
    const widget = await host.open('progress', {
      result: fresh,
      context: { theme: 'light', styles: { variables: variables as never } },
    });
    const colour = await widget.frame.locator('.card').evaluate((card) => getComputedStyle(card).backgroundColor);
    expect(colour).toBe('rgb(255, 250, 240)');
  });
});
