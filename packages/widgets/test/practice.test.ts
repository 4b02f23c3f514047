import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath, type CallTool, startWidgetHost, type WidgetHost } from './widget-host.test-helpers.ts';

const content = [{ type: 'text' as const, text: 'Practice' }];
const started = {
  content,
  structuredContent: {
    practiceSessionId: 'prac_abc123',
    scenario: {
      title: 'Price Negotiation with Skeptical Client',
      sageRole: 'Skeptical potential client',
      userRole: 'Freelance consultant',
      description: 'The client thinks your rates are too high',
    },
    initialMessage: 'So, $150 per hour? That seems quite steep for this kind of work...',
  },
};
const ended = {
  content,
  structuredContent: {
    summary: 'You held your price and asked before you argued. Next time, offer less work instead of a lower rate.',
    positives: ['Turn 1, “what would it change for you”: you asked what the work is worth to them. It moved the talk.'],
    improvements: ['Turn 2, “okay, $120 then”: you gave a discount for nothing. Take something out.'],
    revealedGaps: ['handling_discount_requests'],
  },
  _meta: {
    fullFeedback: {
      hintsUsed: 1,
      transcript: [{ turn: 1, you: 'okay, $120 then', character: 'Good.' }],
    },
  },
};

function characterAnswers(replies: readonly string[]): CallTool {
  let turn = 0;
  return (name) => {
    if (name === 'sage_practice_hint') return { content, structuredContent: { hint: 'Ask before you answer.' } };
    if (name === 'sage_practice_end') return ended;
    turn += 1;
    const structuredContent = { characterResponse: replies[turn - 1] ?? '…', turnNumber: turn, hintAvailable: true };
    return { content, structuredContent, _meta: { sceneOver: turn === replies.length } };
  };
}

describe.skipIf(!browserPath)('the practice widget', () => {
  let host: WidgetHost;
  beforeAll(async () => {
    host = await startWidgetHost();
  });
  afterAll(() => host?.close());

  test('plays the scene, hints, ends, and shows feedback with quotes [SAGE-061]', async () => {
    const callTool = characterAnswers(['Fewer support calls, I suppose.', 'Hm. $120 could work.']);
    const widget = await host.open('practice', { result: started, callTool });
    const { page, frame } = widget;
    const log = frame.getByRole('log');
    expect(await log.textContent()).toContain('So, $150 per hour?');
    await frame.fill('#reply', 'Before we talk about the rate: what would it change for you?');
    await page.keyboard.press('Enter');
    await log.getByText('Fewer support calls').waitFor();
    await frame.getByRole('button', { name: 'Give me a hint' }).click();
    await log.getByText('Ask before you answer.').waitFor();
    await widget.screenshot('practice-light');
    expect(await widget.accessibilityProblems()).toEqual([]);
    await frame.fill('#reply', 'okay, $120 then');
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByText('The scene has come to its end').waitFor();
    expect(await frame.locator('.said').count()).toBe(5);
    await frame.getByRole('button', { name: 'End and get feedback' }).click();
    await frame.getByText('What to try next time').waitFor();

    expect(widget.calls.map(({ name, args }) => [name, args['session_id'], args['message']])).toEqual([
      ['sage_practice_message', 'prac_abc123', 'Before we talk about the rate: what would it change for you?'],
      ['sage_practice_hint', 'prac_abc123', undefined],
      ['sage_practice_message', 'prac_abc123', 'okay, $120 then'],
      ['sage_practice_end', 'prac_abc123', undefined],
    ]);
    const shown = (await frame.textContent('.card')) ?? '';
    expect(shown).toContain('You said in reply 1: “what would it change for you”');
    expect(shown).toContain('You said in reply 2: “okay, $120 then”');
    expect(shown).toContain('Handling discount requests');
    expect(shown).toContain('You used 1 hint.');
    expect(await frame.evaluate(() => document.activeElement?.textContent)).toBe('Your feedback');
    expect(await widget.accessibilityProblems()).toEqual([]);
    await widget.screenshot('practice-feedback');
    expect(widget.records.some(({ kind }) => kind === 'model-context')).toBe(true);

    await frame.getByRole('button', { name: 'Continue learning' }).click();
    await frame.getByRole('button', { name: 'Practise again' }).click();
    await expect
      .poll(() => widget.messages)
      .toEqual([
        "I finished the practice. Let's work on what it revealed: Handling discount requests.",
        'I want to practise "Price Negotiation with Skeptical Client" again.',
      ]);
    expect(widget.requests).toEqual([]);
  });

  test('keeps what the learner wrote when the call fails', async () => {
    const failing: CallTool = () => ({
      isError: true,
      content: [{ type: 'text', text: 'This practice has ended.' }],
      structuredContent: { error: 'PRACTICE_ENDED' },
    });
    const widget = await host.open('practice', { result: started, callTool: failing });
    await widget.frame.fill('#reply', 'My rate reflects the result.');
    await widget.frame.getByRole('button', { name: 'Send' }).click();
    expect(await widget.frame.getByRole('alert').textContent()).toBe('This practice has ended.');
    expect(await widget.frame.inputValue('#reply')).toBe('My rate reflects the result.');
    expect(await widget.frame.locator('.said').count()).toBe(1);
  });

  test('says when the conversation went on elsewhere', async () => {
    const callTool: CallTool = () => ({
      content,
      structuredContent: { characterResponse: 'As I said.', turnNumber: 4, hintAvailable: false },
    });
    const widget = await host.open('practice', { result: started, callTool });
    await widget.frame.fill('#reply', 'Where were we?');
    await widget.page.keyboard.press('Enter');
    await widget.frame.getByText('3 earlier replies are not shown here.').waitFor();
  });

  test('shows the text of a learner as text', async () => {
    const callTool = characterAnswers(['<img src=x onerror="parent.hacked=1">']);
    const widget = await host.open('practice', { result: started, callTool });
    await widget.frame.fill('#reply', '<script>parent.hacked = 1</script><b>bold</b>');
    await widget.page.keyboard.press('Enter');
    await widget.frame.getByText('onerror').waitFor();
    expect(await widget.frame.locator('.talk img, .talk script').count()).toBe(0);
  });

  test('opens with the feedback when the tutor ended the practice, in the dark on a narrow screen', async () => {
    const widget = await host.open('practice', { result: ended, context: { theme: 'dark' }, width: 320 });
    await widget.frame.getByText('What worked').waitFor();
    expect(await widget.accessibilityProblems()).toEqual([]);
    expect(await widget.frame.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await widget.sendResult(started);
    await widget.frame.getByRole('log').waitFor();
    expect(await widget.accessibilityProblems()).toEqual([]);
    await widget.screenshot('practice-dark-narrow');
  });
});
