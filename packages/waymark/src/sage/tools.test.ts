import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Store } from '../store/index.ts';
import { describeStores } from '../store/store.test-helpers.ts';
import { connectSage, now, proveFirst, solid, type TestTutor } from './sage.test-helpers.ts';

describeStores('the tutor', (open) => {
  let store: Store;
  let tutor: TestTutor;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    tutor = await connectSage(store);
  });

  test('the nine tools and the hint are listed, with widgets, scopes and annotations [SAGE-001] [SAGE-002] [SAGE-022] [SAGE-061] [SAGE-086] [SAGE-087] [SAGE-088]', async () => {
    const { tools } = await tutor.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'sage_start_session',
      'sage_checkin',
      'sage_message',
      'sage_progress',
      'sage_graph',
      'sage_practice_start',
      'sage_practice_message',
      'sage_practice_end',
      'sage_practice_hint',
      'sage_end_session',
    ]);
    const widgets = tools.map(({ name, _meta }) => [name, _meta?.['openai/outputTemplate']]).filter(([, uri]) => uri);
    expect(Object.fromEntries(widgets)).toEqual({
      sage_start_session: 'ui://widget/checkin.html',
      sage_progress: 'ui://widget/progress.html',
      sage_graph: 'ui://widget/graph.html',
      sage_practice_start: 'ui://widget/practice.html',
      sage_practice_end: 'ui://widget/practice.html',
    });
    for (const { name, _meta, annotations } of tools) {
      const ui = _meta?.['ui'] as { resourceUri?: string; visibility: string[] };
      expect(ui.resourceUri).toBe(_meta?.['openai/outputTemplate']);
      const onlyWidgets = ['sage_checkin', 'sage_practice_hint'].includes(name);
      expect(ui.visibility.includes('model')).toBe(!onlyWidgets);
      expect(_meta?.['openai/visibility']).toBe(onlyWidgets ? 'private' : undefined);
      expect(ui.visibility.includes('app')).toBe(_meta?.['openai/widgetAccessible'] === true);
      const reads = name === 'sage_progress' || name === 'sage_graph';
      expect(annotations).toMatchObject({ readOnlyHint: reads, destructiveHint: false, openWorldHint: false });
      const scope = reads
        ? 'learner:read'
        : /start_session|end_session/.test(name)
          ? 'session:manage'
          : 'learner:write';
      expect(_meta?.['securitySchemes']).toEqual([{ type: 'oauth2', scopes: [scope] }]);
      for (const key of ['invoking', 'invoked'])
        expect(String(_meta?.[`openai/toolInvocation/${key}`]).length).toBeLessThanOrEqual(64);
    }
  });

  test('start: all keys, the check-in asked for, the widget named [SAGE-004] [SAGE-005] [SAGE-006] [SAGE-007] [SAGE-008] [SAGE-009] [SAGE-010] [SAGE-011] [SAGE-084]', async () => {
    const { data, meta, text } = await tutor.call('sage_start_session', { goal: 'negotiate pricing confidently' });
    expect(data).toEqual({
      sessionId: expect.stringMatching(/^sess_[a-z2-7]{20}$/),
      learnerId: expect.stringMatching(/^learner_[a-z2-7]{20}$/),
      suggestedGoal: 'negotiate pricing confidently',
      hasActiveOutcome: false,
      activeOutcome: null,
    });
    expect(text).toContain('complete the check-in');
    expect(meta).toMatchObject({
      'openai/outputTemplate': 'ui://widget/checkin.html',
      'openai/widgetAccessible': true,
      'openai/widgetSessionId': data['sessionId'],
    });
    expect((await tutor.call('sage_start_session')).data).toMatchObject({
      suggestedGoal: 'negotiate pricing confidently',
    });
  });

  test('an untouched session is taken up, one in use is ended and replaced', async () => {
    const first = await tutor.start();
    expect(await tutor.start('saying no')).toBe(first);
    await tutor.say('hello');
    const second = await tutor.start();
    expect(second).not.toBe(first);
    expect((await tutor.call('sage_message', { session_id: first, message: 'still there?' })).data).toEqual({
      error: 'SESSION_ENDED',
      sessionId: first,
    });
  });

  test('a later session knows the active outcome and proposes the next piece [SAGE-006] [SAGE-007]', async () => {
    await tutor.start('saying no');
    await tutor.say('hello');
    const { data } = await tutor.call('sage_start_session');
    expect(data).toMatchObject({
      hasActiveOutcome: true,
      activeOutcome: { id: expect.stringMatching(/^out_/), description: 'Turn down requests without damage' },
      suggestedGoal: 'Turn down requests without damage: The Clear No',
    });
  });

  test('check-in: status, session and adaptations [SAGE-013] [SAGE-015] [SAGE-016] [SAGE-017] [SAGE-018] [SAGE-020] [SAGE-021]', async () => {
    const session_id = await tutor.start();
    const first = await tutor.call('sage_checkin', {
      session_id,
      energy: 'medium',
      time_available: 30,
      intention: 'pricing',
      environment: 'quiet office',
    });
    expect(first.data).toEqual({
      status: 'ready',
      sessionId: session_id,
      adaptations: { pace: 'moderate', depth: 'standard', practiceEnabled: true },
    });
    expect(first.text).toContain('Check-in complete');
    await tutor.call('sage_checkin', { session_id, time_available: 60 });
    const third = await tutor.call('sage_checkin', { session_id, energy: 'high' });
    expect(third.data['adaptations']).toEqual({ pace: 'fast', depth: 'deep', practiceEnabled: true });
    expect((await tutor.call('sage_checkin', { session_id })).data['status']).toBe('ready');
  });

  test('arguments that do not fit are refused [SAGE-013] [SAGE-014] [SAGE-015] [SAGE-023] [SAGE-033] [SAGE-057] [SAGE-062] [SAGE-067] [SAGE-085] [SAGE-093]', async () => {
    const calls: [string, Record<string, unknown>][] = [
      ['sage_checkin', {}],
      ['sage_checkin', { session_id: 'S', energy: 'huge' }],
      ['sage_checkin', { session_id: 'S', time_available: 2.5 }],
      ['sage_checkin', { session_id: 'S', time_available: 0 }],
      ['sage_checkin', { session_id: 'S', time_available: 'long' }],
      ['sage_checkin', { session_id: 'S', mood: 'fine' }],
      ['sage_message', { session_id: 'S' }],
      ['sage_message', { message: 'x' }],
      ['sage_message', { session_id: 'S', message: 'x'.repeat(100_000) }],
      ['sage_progress', { learner_id: 'x' }],
      ['sage_graph', { filters: { showEverything: true } }],
      ['sage_graph', { filters: 'all' }],
      ['sage_practice_message', { session_id: 'S' }],
      ['sage_practice_end', {}],
      ['sage_end_session', {}],
    ];
    for (const [tool, args] of calls) {
      const { isError, data, text } = await tutor.call(tool, args);
      expect({ tool, args, isError, error: data['error'] }).toEqual({
        tool,
        args,
        isError: true,
        error: 'INVALID_ARGUMENT',
      });
      expect(text).toContain(tool);
    }
  });

  test('a conversation from goal to proof [SAGE-024] [SAGE-025] [SAGE-026] [SAGE-027] [SAGE-028] [SAGE-029] [SAGE-030] [SAGE-031] [SAGE-032]', async () => {
    await tutor.start('I want to say no to my boss', { energy: 'medium', time_available: 30 });
    const framed = await tutor.say('hello');
    expect(framed.data).toEqual({
      response: framed.text,
      mode: 'framing',
      modeDescription: 'Naming the pieces of the goal',
      conceptsDiscussed: ['clear_no'],
      gapIdentified: null,
      proofEarned: null,
      outcomeProgress: 0,
    });
    expect(framed.meta['fullResponse']).toEqual({
      message: framed.text,
      currentMode: 'framing',
      transitionTo: 'probing',
      insights: [],
      uiTree: null,
    });
    const taught = await tutor.say('I would say maybe later');
    expect(taught.data).toMatchObject({
      mode: 'teaching',
      gapIdentified: { name: 'clear_no', displayName: 'The Clear No' },
      outcomeProgress: 0.13,
    });
    const halfway = await tutor.say(solid.clearNo[0]);
    expect(halfway.data).toMatchObject({ mode: 'verification', proofEarned: null });
    expect(halfway.text).toContain('they just start to argue about each one');
    const proven = await tutor.say(solid.clearNo[1]);
    expect(proven.data).toMatchObject({
      mode: 'verification',
      modeDescription: expect.any(String),
      proofEarned: { concept: 'clear_no', displayName: 'The Clear No', demonstrationType: 'both', confidence: 0.8 },
      outcomeProgress: 0.5,
    });
    expect(proven.meta['evidence'][0].quotes[0].quote).toBe('If I refuse right away they can look for someone else');
    expect(tutor.events.filter(({ type }) => type === 'sage-changed').at(-1)?.data).toMatchObject({
      proof: 'clear_no',
    });
  });

  test('to the end of a goal: achieved, and what is next', async () => {
    await tutor.start('saying no');
    await proveFirst(tutor);
    await tutor.say('I have no idea');
    await tutor.say(solid.alternative[0]);
    const last = await tutor.say(solid.alternative[1]);
    expect(last.data).toMatchObject({ proofEarned: { concept: 'real_alternative' }, outcomeProgress: 1 });
    expect(last.meta['fullResponse']).toMatchObject({ transitionTo: 'outcome_check' });
    const done = await tutor.say('Yes, I could');
    expect(done.data).toMatchObject({ mode: 'outcome_check', outcomeProgress: 1 });
    expect((await tutor.call('sage_progress')).data).toMatchObject({ activeOutcome: null, stats: { totalProofs: 2 } });
  });

  test('repeating the explanation is not praised and proves nothing', async () => {
    await tutor.start('saying no');
    await tutor.say('hello');
    const { text } = await tutor.say('I have no idea');
    const explanation = text.split('\n\n')[1] ?? '';
    const parroted = await tutor.say(explanation);
    expect(parroted.data).toMatchObject({ mode: 'verification', proofEarned: null });
    expect(parroted.text).toContain('my words');
    expect(parroted.meta['fullResponse'].insights).toContain('repeated the explanation');
  });

  test('one check twice is not a proof, nor is knowing outside verification', async () => {
    await tutor.start('saying no');
    await tutor.say('hello');
    expect((await tutor.say(solid.clearNo[0])).data['proofEarned']).toBeNull();
    await tutor.say(solid.clearNo[0]);
    expect((await tutor.say(solid.clearNo[0])).data['proofEarned']).toBeNull();
    expect((await tutor.call('sage_progress')).data['stats'].totalProofs).toBe(0);
  });

  test('somebody who knows it already tests out without a lesson', async () => {
    await tutor.start('saying no');
    await tutor.say('hello');
    const asked = await tutor.say('I already know this, test me');
    expect(asked.data).toMatchObject({ mode: 'verification', gapIdentified: null });
    await tutor.say(solid.clearNo[0]);
    expect((await tutor.say(solid.clearNo[1])).data['proofEarned']).toMatchObject({ concept: 'clear_no' });
  });

  test('a topic nobody taught us is said to be unknown, and self-guided work earns no proof', async () => {
    await tutor.start();
    const unknown = await tutor.say('I want to learn to play the bassoon');
    expect(unknown.data).toMatchObject({ mode: 'outcome_discovery', conceptsDiscussed: [], gapIdentified: null });
    expect(unknown.text).toContain('know nothing about “Play the bassoon”');
    expect(unknown.text).toContain('Turn down requests without damage');
    await tutor.say('self-guided');
    await tutor.say('breathing, embouchure and fingering');
    const answered = await tutor.say(
      'Breathing comes from low in the belly and carries the tone, as when one sings a long note.',
    );
    expect(answered.data).toMatchObject({
      proofEarned: null,
      conceptsDiscussed: expect.arrayContaining(['breathing']),
    });
    const { data } = await tutor.call('sage_progress');
    expect(data).toMatchObject({
      activeOutcome: { description: 'Play the bassoon', conceptsRequired: 3, conceptsProven: 0 },
      stats: { totalProofs: 0, totalConcepts: 3 },
    });
  });

  test('the check-in changes what is said', async () => {
    const explain = async (checkin: Record<string, unknown>) => {
      tutor = await connectSage(store);
      await tutor.start('saying no', checkin);
      const framed = await tutor.say('hello');
      const taught = await tutor.say('I have no idea');
      return { framed: framed.text, taught: taught.text };
    };
    const light = await explain({ energy: 'low', time_available: 10 });
    const standard = await explain({ energy: 'medium', time_available: 30 });
    const deep = await explain({ energy: 'high', time_available: 60 });
    expect(light.framed).toContain('With 10 minutes we take one: The Clear No.');
    expect(standard.framed).not.toContain('minutes');
    expect(light.taught.length).toBeLessThan(standard.taught.length);
    expect(standard.taught.length).toBeLessThan(deep.taught.length);
    expect(light.taught).toContain('no hurry');
  });

  test('somebody lost is taught in another way; more and less change the depth', async () => {
    await tutor.start('saying no');
    await tutor.say('hello');
    const first = await tutor.say('I have no idea');
    const second = await tutor.say("I don't understand");
    expect(second.data).toMatchObject({ mode: 'teaching' });
    expect(first.text).toContain('Listen to two answers');
    expect(second.text).toContain('Mia');
    const deeper = await tutor.say('Can you go deeper?');
    expect(deeper.text).toContain('own comfort');
    const shorter = await tutor.say('too long, shorter please');
    expect(shorter.text.length).toBeLessThan(second.text.length);
  });

  test('whatever is said is answered and proves nothing', async () => {
    await tutor.start('saying no');
    await tutor.say('hello');
    await tutor.say('I have no idea');
    const messages = [
      '',
      '   ',
      '🙂🙂',
      '¿Qué? ¡No entiendo nada de lo que usted dice aquí!',
      'ok',
      '\u0000\u0000',
      '<script>alert(1)</script>',
      'x'.repeat(20_000),
      "'; drop table sage_turns; --",
    ];
    for (const message of messages) {
      const { isError, data } = await tutor.say(message);
      expect(isError).toBe(false);
      expect(data).toMatchObject({ proofEarned: null, mode: expect.stringMatching(/verification|teaching|probing/) });
      expect(data['response']).not.toBe('');
    }
  });

  test('asides: a question, the wish for the answer, a skip, a stop, and a role play', async () => {
    await tutor.start('saying no');
    await tutor.say('hello');
    await tutor.say('I have no idea');
    const asked = await tutor.say('What is an alternative?');
    expect(asked.text).toContain('The Real Alternative, in one sentence: An offer in place of a yes');
    expect(asked.text).toContain('First this one: Why put the no');
    const withheld = await tutor.say('just tell me the answer');
    expect(withheld.text).toContain('not the same as having it');
    expect(withheld.data['proofEarned']).toBeNull();
    expect((await tutor.say('can we practice this?')).text).toContain('weekend-report');
    expect((await tutor.say('I have to go')).text).toContain('Everything so far is kept');
    const skipped = await tutor.say('skip this one');
    expect(skipped.data['conceptsDiscussed']).toEqual(['real_alternative']);
    expect(skipped.text).toContain('stays on your list');
  });

  test('another goal in the middle pauses the first, and coming back takes it up again', async () => {
    await tutor.start('saying no');
    await proveFirst(tutor);
    await tutor.say('I want to learn to play the bassoon instead');
    await tutor.say('self-guided');
    expect((await tutor.call('sage_progress')).data['activeOutcome']).toMatchObject({
      progress: 0,
      conceptsRequired: 0,
    });
    const back = await tutor.say('I want to learn to say no to my boss');
    expect(back.text).toContain('1 of them you have proven already');
    expect(back.data).toMatchObject({ outcomeProgress: 0.5, conceptsDiscussed: ['real_alternative'] });
    const { meta } = await tutor.call('sage_progress');
    expect(meta['fullState'].outcomes.map(({ status }: { status: string }) => status)).toEqual(['active', 'paused']);
  });

  test('plans are remembered, named in the next steps, and asked about afterwards', async () => {
    const session_id = await tutor.start('saying no');
    await tutor.say('hello');
    const noted = await tutor.say('I have a meeting with my manager on Friday.');
    expect(noted.text).toContain('Your meeting on Fri 20 Nov: noted.');
    const ended = await tutor.call('sage_end_session', { session_id });
    expect(ended.data['nextSteps'][0]).toBe('Practice The Clear No before your meeting on Friday (2026-11-20)');
    tutor.pass({ days: 4 });
    const again = await tutor.call('sage_start_session');
    expect(again.meta['pendingFollowups']).toEqual(['I have a meeting with my manager on Friday']);
    await tutor.start();
    const asked = await tutor.say('hi again');
    expect(asked.data['mode']).toBe('followup');
    expect(asked.text).toContain('How did it go?');
    const heard = await tutor.say('Badly, I struggled with the clear no and caved.');
    expect(heard.data).toMatchObject({ gapIdentified: { name: 'clear_no', displayName: 'The Clear No' } });
    const { meta } = await tutor.call('sage_progress');
    expect(meta['fullState'].pendingFollowups).toEqual([]);
  });

  test('proofs come up for review: kept when it holds, reopened when it has faded', async () => {
    await tutor.start('saying no');
    await proveFirst(tutor);
    tutor.pass({ days: 30 });
    expect((await tutor.call('sage_start_session')).meta['dueReviews']).toEqual(['The Clear No']);
    await tutor.start();
    const asked = await tutor.say('hello');
    expect(asked.text).toContain('You proved The Clear No 30 days ago');
    const held = await tutor.say(solid.clearNo[0]);
    expect(held.text).toContain('still there');
    expect(held.data['proofEarned']).toBeNull();
    expect((await tutor.call('sage_progress')).meta['fullState'].dueReviews).toEqual([]);

    tutor.pass({ days: 200 });
    await tutor.start();
    await tutor.say('hello');
    const faded = await tutor.say('I have no idea');
    expect(faded.data).toMatchObject({ gapIdentified: { name: 'clear_no' }, mode: 'teaching', outcomeProgress: 0.13 });
  });

  test('progress: outcome, stats and proofs agree with what happened [SAGE-034] [SAGE-035] [SAGE-036] [SAGE-037] [SAGE-038] [SAGE-039]', async () => {
    const empty = await tutor.call('sage_progress');
    expect(empty.data).toEqual({
      activeOutcome: null,
      stats: { totalSessions: 0, totalProofs: 0, totalConcepts: 0, streakDays: 0 },
      recentProofs: [],
    });
    await tutor.start('saying no');
    await proveFirst(tutor);
    tutor.pass({ days: 1 });
    await tutor.say('I have no idea');
    await tutor.say(solid.alternative[0]);
    await tutor.say(solid.alternative[1]);
    const { data, meta, text } = await tutor.call('sage_progress');
    expect(data).toEqual({
      activeOutcome: {
        id: expect.stringMatching(/^out_/),
        description: 'Turn down requests without damage',
        progress: 1,
        conceptsRequired: 2,
        conceptsProven: 2,
      },
      stats: { totalSessions: 1, totalProofs: 2, totalConcepts: 2, streakDays: 2 },
      recentProofs: [
        { concept: 'The Real Alternative', earnedAt: '2026-11-19' },
        { concept: 'The Clear No', earnedAt: '2026-11-18' },
      ],
    });
    expect(meta['openai/outputTemplate']).toBe('ui://widget/progress.html');
    expect(Object.keys(meta['fullState'])).toEqual(
      expect.arrayContaining(['learner', 'outcomes', 'concepts', 'proofs', 'pendingFollowups']),
    );
    expect(meta['fullState'].proofs[0].earnedAt).toBe('2026-11-19T09:00:00.000Z');
    expect(text).toContain('2 of 2 concepts proven');
  });

  test('the streak follows the zone of the learner', async () => {
    await tutor.start('saying no');
    await store.pool.query(`update users set time_zone = 'Pacific/Auckland' where id = $1`, [tutor.user]);
    await proveFirst(tutor);
    tutor.pass({ minutes: 3 * 60 });
    await tutor.say('hello');
    const { data } = await tutor.call('sage_progress');
    expect(data['stats'].streakDays).toBe(2);
    expect(data['recentProofs'][0].earnedAt).toBe('2026-11-18');
  });

  test('the graph: counts, filters and edges agree [SAGE-040] [SAGE-041] [SAGE-042] [SAGE-043] [SAGE-044] [SAGE-045] [SAGE-046] [SAGE-047] [SAGE-048]', async () => {
    await tutor.start('saying no');
    await proveFirst(tutor);
    const graph = async (filters?: Record<string, unknown>) => {
      const { data, meta } = await tutor.call('sage_graph', filters ? { filters } : {});
      const { nodes, edges } = meta['graphData'] as { nodes: Node[]; edges: Edge[] };
      expect(data['nodeCount']).toBe(nodes.length);
      expect(data['edgeCount']).toBe(edges.length);
      const ids = nodes.map(({ id }) => id);
      for (const { from, to } of edges) expect(ids).toEqual(expect.arrayContaining([from, to]));
      return { data, nodes, edges, meta };
    };
    const all = await graph();
    expect(all.data).toEqual({
      nodeCount: 3,
      edgeCount: 3,
      provenConcepts: 1,
      activeOutcome: 'Turn down requests without damage',
    });
    expect(all.meta['openai/outputTemplate']).toBe('ui://widget/graph.html');
    expect(all.edges.map(({ type }) => type).toSorted()).toEqual(['relates_to', 'requires', 'requires']);
    for (const node of all.nodes) expect(Object.keys(node)).toEqual(['id', 'type', 'label', 'data']);
    const proven = await graph({ showProvenOnly: true });
    expect(proven.nodes.map(({ label }) => label)).toEqual(['Turn down requests without damage', 'The Clear No']);
    expect((await graph({ showOutcomes: false })).nodes.map(({ type }) => type)).toEqual(['concept', 'concept']);
    expect((await graph({ showConcepts: false })).nodes.map(({ type }) => type)).toEqual(['outcome']);
    await tutor.say('I want to learn to play the bassoon');
    await tutor.say('self-guided');
    await tutor.say('breathing and fingering');
    expect((await graph()).data['nodeCount']).toBe(6);
    const [outcome] = (await graph()).nodes;
    expect((await graph({ outcomeId: outcome?.id })).nodes.map(({ label }) => label)).toEqual([
      'Turn down requests without damage',
      'The Clear No',
      'The Real Alternative',
    ]);
    expect((await tutor.call('sage_graph', { filters: { outcomeId: 'out_none' } })).data).toEqual({
      error: 'OUTCOME_NOT_FOUND',
      outcomeId: 'out_none',
    });
  });

  test('the end: a summary of what happened, the same when asked again [SAGE-068] [SAGE-069] [SAGE-070] [SAGE-071]', async () => {
    const session_id = await tutor.start('saying no');
    tutor.pass({ minutes: 5 });
    await proveFirst(tutor);
    tutor.pass({ minutes: 60 });
    const ended = await tutor.call('sage_end_session', { session_id });
    expect(ended.data).toEqual({
      summary: {
        duration: 20,
        conceptsExplored: 2,
        proofsEarned: 1,
        modeBreakdown: { framing: 0.25, teaching: 0.25, verification: 0.5 },
      },
      nextSteps: ['Next piece: The Real Alternative', 'Rehearse it in the role play “The weekend report”'],
    });
    expect(ended.text).toContain('Session complete');
    tutor.pass({ days: 1 });
    const again = await tutor.call('sage_end_session', { session_id });
    expect(again.data).toEqual(ended.data);
    expect(again.meta['alreadyEnded']).toBe(true);
    const late = await tutor.say('one more thing');
    expect(late).toMatchObject({ isError: true, data: { error: 'SESSION_ENDED', sessionId: session_id } });
  });

  test('unknown sessions and those of others are not found [SAGE-083] [SAGE-091] [SAGE-092] [SAGE-093]', async () => {
    const session_id = await tutor.start('saying no');
    const other = await connectSage(store, { user: { id: 'somebody-else' } });
    for (const [id, from] of [
      ['sess_nothing', tutor],
      [session_id, other],
    ] as const) {
      for (const [tool, args] of [
        ['sage_message', { message: 'x' }],
        ['sage_checkin', {}],
        ['sage_end_session', {}],
      ] as const) {
        expect(await from.call(tool, { session_id: id, ...args })).toMatchObject({
          isError: true,
          text: 'Session not found',
          data: { error: 'SESSION_NOT_FOUND', sessionId: id },
        });
      }
    }
    expect((await other.call('sage_progress')).data['stats'].totalSessions).toBe(0);
  });

  test('a token without the scope is refused with a challenge [SAGE-003] [SAGE-089] [SAGE-090]', async () => {
    const reader = await connectSage(store, { user: { scopes: new Set(['learner:read']) } });
    expect((await reader.call('sage_progress')).isError).toBe(false);
    const refused = await reader.call('sage_start_session');
    expect(refused).toMatchObject({ isError: true, data: { error: 'INSUFFICIENT_SCOPE', scopes: ['session:manage'] } });
    expect(refused.meta['mcp/www_authenticate']).toEqual([
      expect.stringMatching(/^Bearer error="insufficient_scope", scope="session:manage"/),
    ]);
  });

  test('a repeated request with its key changes nothing and gets the same answer', async () => {
    const session_id = await tutor.start('saying no');
    const key = { 'waymark/idempotencyKey': 'k1' };
    const first = await tutor.call('sage_message', { session_id, message: 'hello' }, key);
    const second = await tutor.call('sage_message', { session_id, message: 'hello' }, key);
    expect(second.data).toEqual(first.data);
    const { rows } = await store.pool.query('select turns from sage_sessions where id = $1', [session_id]);
    expect(rows).toEqual([{ turns: 1 }]);
  });

  test('two hosts driving one session are heard one after the other', async () => {
    const session_id = await tutor.start('saying no');
    const second = await connectSage(store, { user: { id: tutor.user } });
    const messages = Array.from({ length: 6 }, (_, index) => `message number ${index} of a few`);
    const answers = await Promise.all(
      messages.map((message, index) => (index % 2 ? second : tutor).call('sage_message', { session_id, message })),
    );
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
    const { rows } = await store.pool.query('select seq, message from sage_turns where session_id = $1 order by seq', [
      session_id,
    ]);
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(rows.map(({ message }) => message))).toEqual(new Set(messages));
  });

  test('strict check-ins need the token that only the widget is given', async () => {
    const strict = await connectSage(store, { services: { strictWidgetCalls: true } });
    const { data, meta } = await strict.call('sage_start_session');
    const session_id = data['sessionId'];
    expect((await strict.call('sage_checkin', { session_id })).data['error']).toBe('INVALID_ARGUMENT');
    const { data: ready } = await strict.call('sage_checkin', { session_id, checkin_token: meta['checkinToken'] });
    expect(ready['status']).toBe('ready');
  });

  test('a turn is whole or not at all: a write that fails leaves nothing of it', async () => {
    await tutor.start('saying no');
    await tutor.say('hello');
    await tutor.say('I have no idea');
    await tutor.say(solid.clearNo[0]);
    await store.pool.query(
      `create function fail_turn() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    );
    await store.pool.query('create trigger fail_turn before insert on sage_turns execute function fail_turn()');
    try {
      const failed = await tutor.say(solid.clearNo[1]);
      expect(failed.data['error']).toBe('INTERNAL_ERROR');
      expect(failed.text).not.toContain('exception');
    } finally {
      await store.pool.query('drop trigger fail_turn on sage_turns');
      await store.pool.query('drop function fail_turn');
    }
    expect((await tutor.call('sage_progress')).data['stats'].totalProofs).toBe(0);
    expect((await tutor.say(solid.clearNo[1])).data['proofEarned']).toMatchObject({ concept: 'clear_no' });
    expect((await tutor.call('sage_progress')).data['stats'].totalProofs).toBe(1);
  });
});

test('the clock of the tests is a Wednesday', () => {
  expect(now.getUTCDay()).toBe(3);
});

interface Node {
  readonly id: string;
  readonly type: string;
  readonly label: string;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}
