import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../store/index.ts';
import { describeStores } from '../store/store.test-helpers.ts';
import { lintPack } from './pack-lint.ts';
import { buildCustomScenario } from './custom-scenario.ts';
import { loadPacks } from './pack-files.ts';
import { freshPractice, playTurn } from './practice-engine.ts';
import { connectSage, examplePacks, proveFirst, type TestTutor } from './sage.test-helpers.ts';

describeStores('practice', (open) => {
  let store: Store;
  let tutor: TestTutor;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    tutor = await connectSage(store);
  });
  const begin = async (args: Record<string, unknown> = {}) =>
    (await tutor.call('sage_practice_start', args)).data['practiceSessionId'] as string;

  test('start: all keys, the scene set, the presets listed [SAGE-049] [SAGE-051] [SAGE-052] [SAGE-053] [SAGE-054] [SAGE-055]', async () => {
    const { data, meta, text } = await tutor.call('sage_practice_start', { scenario_id: 'weekend-report' });
    expect(data).toEqual({
      practiceSessionId: expect.stringMatching(/^prac_[a-z2-7]{20}$/),
      scenario: {
        title: 'The weekend report',
        sageRole: 'Colleague with a late report',
        userRole: 'Yourself, with plans for the weekend',
        description: expect.stringContaining('over the weekend'),
      },
      initialMessage: expect.stringContaining('quarterly one'),
    });
    expect(text).toContain('Practice scenario started');
    expect(text).toContain('Colleague with a late report');
    expect(meta).toMatchObject({
      'openai/outputTemplate': 'ui://widget/practice.html',
      'openai/widgetAccessible': true,
      'openai/widgetSessionId': data['practiceSessionId'],
      availableScenarios: [
        { id: 'weekend-report', difficulty: 'easy', relatedConcepts: ['clear_no', 'real_alternative'] },
      ],
    });
  });

  test('neither argument: the scene of the active goal; both or an unknown one: refused [SAGE-050] [SAGE-056]', async () => {
    expect((await tutor.call('sage_practice_start')).data['scenario'].title).toBe('The weekend report');
    const custom_scenario = { title: 'A talk', sage_role: 'Landlord' };
    expect(await tutor.call('sage_practice_start', { scenario_id: 'weekend-report', custom_scenario })).toMatchObject({
      isError: true,
      data: { error: 'INVALID_ARGUMENT' },
    });
    expect(await tutor.call('sage_practice_start', { scenario_id: 'weekend' })).toMatchObject({
      isError: true,
      data: { error: 'SCENARIO_NOT_FOUND', scenarioId: 'weekend', availableScenarios: ['weekend-report'] },
    });
    expect((await tutor.call('sage_practice_start', { custom_scenario: { title: 'x' } })).data['error']).toBe(
      'INVALID_ARGUMENT',
    );
  });

  test('the character reacts to what is said [SAGE-058] [SAGE-059] [SAGE-060]', async () => {
    const session_id = await begin();
    const say = async (message: string) => {
      const answer = await tutor.call('sage_practice_message', { session_id, message });
      expect(answer.text).toBe(answer.data['characterResponse']);
      return answer;
    };
    const first = await say('Hm, maybe, let me see.');
    expect(first.data).toEqual({
      characterResponse: expect.stringContaining('in your hands'),
      turnNumber: 1,
      hintAvailable: true,
    });
    expect(first.meta).toMatchObject({ hint: expect.stringContaining('one short sentence'), sceneOver: false });
    const second = await say("No, I can't do that.");
    expect(second.data).toMatchObject({ turnNumber: 2, characterResponse: expect.stringContaining('counting on you') });
    const third = await say('I can read your draft on Friday.');
    expect(third.data).toMatchObject({ turnNumber: 3, characterResponse: expect.stringContaining('work with') });
    expect(third.meta['sceneOver']).toBe(true);
    const after = await say('And another thing');
    expect(after.data).toMatchObject({ turnNumber: 4, characterResponse: expect.stringContaining('scene is over') });
  });

  test('feedback quotes what was said and when; gaps join the active goal [SAGE-063] [SAGE-064] [SAGE-065] [SAGE-066]', async () => {
    await tutor.start('saying no');
    await proveFirst(tutor);
    const session_id = await begin();
    await tutor.call('sage_practice_message', { session_id, message: 'What is it about?' });
    await tutor.call('sage_practice_message', { session_id, message: "No, I can't do that this weekend." });
    await tutor.call('sage_practice_hint', { session_id });
    const ended = await tutor.call('sage_practice_end', { session_id });
    expect(Object.keys(ended.data)).toEqual(['summary', 'positives', 'improvements', 'revealedGaps']);
    expect(ended.data).toMatchObject({
      positives: [expect.stringMatching(/^Turn 2, “No, I can't do that this weekend”: you said no in plain words\./)],
      improvements: [expect.stringContaining('In 2 turns you never offered something smaller')],
      revealedGaps: ['real_alternative'],
    });
    expect(ended.meta).toMatchObject({
      'openai/outputTemplate': 'ui://widget/practice.html',
      fullFeedback: { turns: 2, hintsUsed: 1, transcript: [{ turn: 1, you: 'What is it about?' }, { turn: 2 }] },
    });
    const again = await tutor.call('sage_practice_end', { session_id });
    expect(again.data).toEqual(ended.data);
    expect(again.meta['alreadyEnded']).toBe(true);
    for (const tool of ['sage_practice_message', 'sage_practice_hint']) {
      const args = { session_id, ...(tool === 'sage_practice_message' ? { message: 'and?' } : {}) };
      expect((await tutor.call(tool, args)).data).toEqual({ error: 'PRACTICE_ENDED', practiceSessionId: session_id });
    }
  });

  test('a gap that is new becomes a concept of the active goal', async () => {
    await tutor.start();
    await tutor.say('I want to learn the bassoon');
    await tutor.say('self-guided');
    await tutor.say('breathing');
    const session_id = await begin({ scenario_id: 'weekend-report' });
    await tutor.call('sage_practice_message', { session_id, message: 'Maybe, let me see.' });
    expect((await tutor.call('sage_practice_end', { session_id })).data['revealedGaps']).toEqual([
      'clear_no',
      'real_alternative',
    ]);
    const { data } = await tutor.call('sage_progress');
    expect(data['activeOutcome']).toMatchObject({ conceptsRequired: 3, conceptsProven: 0 });
  });

  test('ending without a word says so instead of inventing', async () => {
    const session_id = await begin();
    const { data } = await tutor.call('sage_practice_end', { session_id });
    expect(data).toMatchObject({ positives: [], improvements: [], revealedGaps: [] });
    expect(data['summary']).toContain('nothing to judge');
  });

  test('a scene of the learner plays by general rules and says what it cannot judge [SAGE-050]', async () => {
    const custom_scenario = {
      title: 'Deposit',
      description: 'Get my deposit back',
      sage_role: 'Landlord',
      user_role: 'Tenant',
    };
    const started = await tutor.call('sage_practice_start', { custom_scenario });
    expect(started.data['scenario']).toEqual({
      title: 'Deposit',
      sageRole: 'Landlord',
      userRole: 'Tenant',
      description: 'Get my deposit back',
    });
    expect(started.data['initialMessage']).toContain('get my deposit back');
    const session_id = started.data['practiceSessionId'];
    const replies = [];
    for (const message of [
      'What is the reason you keep it?',
      'I understand that the wall worried you.',
      'How about we split the cost?',
    ]) {
      replies.push((await tutor.call('sage_practice_message', { session_id, message })).text);
    }
    expect(new Set(replies).size).toBe(3);
    const { data } = await tutor.call('sage_practice_end', { session_id });
    expect(data['positives']).toHaveLength(3);
    expect(data['summary']).toContain('I do not know this subject');
    expect(data['revealedGaps']).toEqual([]);
  });

  test('too little time is a note, driving is a refusal', async () => {
    const session_id = await tutor.start('saying no', { time_available: 5 });
    const short = await tutor.call('sage_practice_start');
    expect(short.isError).toBe(false);
    expect(short.meta['note']).toContain('little time');
    await tutor.call('sage_checkin', { session_id, environment: 'driving to work' });
    expect((await tutor.call('sage_practice_start')).data).toEqual({ error: 'PRACTICE_UNSAFE', sessionId: session_id });
  });

  test('practices of others are not found', async () => {
    const session_id = await begin();
    const other = await connectSage(store, { user: { id: 'somebody-else' } });
    for (const [tool, extra] of [
      ['sage_practice_message', { message: 'x' }],
      ['sage_practice_end', {}],
      ['sage_practice_hint', {}],
    ] as const) {
      expect((await other.call(tool, { session_id, ...extra })).data).toEqual({
        error: 'PRACTICE_NOT_FOUND',
        practiceSessionId: session_id,
      });
    }
  });

  test('messages at the same time get turns of their own', async () => {
    const session_id = await begin();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((number) =>
        tutor.call('sage_practice_message', { session_id, message: `This is line ${number}` }),
      ),
    );
    expect(new Set(answers.map(({ data }) => data['turnNumber']))).toEqual(new Set([1, 2, 3, 4]));
  });
});

describe('scenes', () => {
  test('a scene for any subject passes the linter of packs', async () => {
    const { packs } = await loadPacks(examplePacks);
    const [pack] = packs;
    if (!pack) throw new Error('no example pack');
    const scenario = buildCustomScenario({ title: 'Deposit', sage_role: 'Landlord' });
    expect(lintPack({ ...pack, scenarios: [...pack.scenarios, scenario] })).toEqual([]);
  });

  test('one sentence that does everything does not end a scene', async () => {
    const { scenarios } = await loadPacks(examplePacks);
    const scenario = scenarios[0]?.scenario;
    if (!scenario) throw new Error('no scenario');
    const all = "No, I can't, but I can read your draft on Friday.";
    const first = playTurn(scenario, freshPractice, all, 1);
    expect(first.state.over).toBe(false);
    const second = playTurn(scenario, first.state, all, 2);
    expect(playTurn(scenario, second.state, all, 3).state.over).toBe(true);
  });

  test('a character never says the same thing twice in a row, and always something', async () => {
    const { scenarios } = await loadPacks(examplePacks);
    for (const { scenario } of scenarios) {
      let state = freshPractice;
      let before = '';
      for (let turn = 1; turn <= 12; turn += 1) {
        const step = playTurn(scenario, state, 'I see what you are saying there', turn);
        expect(step.reply).not.toBe(before);
        before = step.reply;
        state = step.state;
      }
    }
  });
});
