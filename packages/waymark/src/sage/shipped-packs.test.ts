import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { assess } from './assess.ts';
import { findGoal } from './goals.ts';
import { createPackLibrary } from './pack-library.ts';
import { readPack } from './pack-lint.ts';
import type { Pack } from './pack-model.ts';
import { feedbackOn, freshPractice, hintFor, playTurn } from './practice-engine.ts';

const folder = new URL('../../assets/packs/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
const read = (name: string) => readPack(readFileSync(new URL(name, folder), 'utf8'));
const packs = files.map((name) => read(name).pack).filter((pack): pack is Pack => pack !== undefined);
const checks = packs.flatMap((pack) =>
  pack.concepts.flatMap((concept) => concept.checks.map((check) => ({ pack, concept, check }))),
);

describe.each(files)('%s', (name) => {
  const { pack, problems } = read(name);

  test('passes the checker, its own sample answers included', () => {
    expect(problems).toEqual([]);
  });

  test('is substantial: concepts, prerequisites, two ways at three depths, checks, people to practise with', () => {
    expect(pack?.concepts.length).toBeGreaterThanOrEqual(8);
    expect(pack?.concepts.some(({ prerequisites }) => prerequisites.length > 0)).toBe(true);
    expect(pack?.scenarios.length).toBeGreaterThanOrEqual(1);
    for (const concept of pack?.concepts ?? []) {
      expect(concept.teach.length).toBeGreaterThanOrEqual(2);
      expect(concept.checks.length).toBeGreaterThanOrEqual(3);
      expect(new Set(concept.checks.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(3);
      for (const { light, standard, deep } of concept.teach) {
        const words = [light, standard, deep].map((text) => text.split(/\s+/).length);
        expect(words[0]).toBeLessThanOrEqual(60);
        expect(words).toEqual(words.toSorted((left, right) => left - right));
      }
    }
  });
});

test('the six preset role plays are there', () => {
  const ids = packs.flatMap(({ scenarios }) => scenarios.map(({ id }) => id));
  for (const preset of [
    'preset-pricing-call',
    'preset-negotiation',
    'preset-presentation-qa',
    'preset-job-interview',
    'preset-difficult-conversation',
    'preset-salary-raise',
  ]) {
    expect(ids).toContain(preset);
  }
});

test('answers to other questions and empty talk are not taken for knowledge', () => {
  const talk = [
    'I think it is important to think about this carefully and to talk with people about it so that everybody is happy.',
    'Yes of course, this is a very good question and I would say that it depends on the situation and on what you want.',
    "I don't really know but I guess it has something to do with how people behave and what they expect from you.",
    'It is better because it works better and most experts say that you should always do it like this in practice.',
  ];
  const passed = checks.flatMap(({ pack, check }) =>
    talk.filter((answer) => assess(check, answer, [], pack.synonyms).level === 'solid').map(() => check.id),
  );
  expect(passed).toEqual([]);
  let solid = 0;
  let judged = 0;
  for (const { pack, concept, check } of checks) {
    for (const other of checks.filter((candidate) => candidate.concept !== concept)) {
      judged += 1;
      if (assess(check, other.check.good[0] ?? '', [], pack.synonyms).level === 'solid') solid += 1;
    }
  }
  expect(solid / judged).toBeLessThan(0.015);
});

test('the goals people name lead to the right pack', () => {
  const library = createPackLibrary(packs);
  const named: Record<string, string> = {
    'negotiate pricing confidently': 'price_services',
    'I want to raise my rates': 'price_services',
    'I keep undercharging': 'price_services',
    'ask my boss for a raise': 'ask_for_a_raise',
    'give better feedback to my team': 'give_feedback',
    'I have a job interview next week': 'answer_hard_questions',
    'learn SQL': 'write_queries',
    'why are my queries slow': 'run_safely',
    'run an A/B test': 'run_experiments',
  };
  for (const [said, outcome] of Object.entries(named)) {
    const match = findGoal(library, said);
    const offered =
      match.kind === 'outcome'
        ? [match.outcome.id]
        : match.kind === 'several'
          ? match.options.map((o) => o.outcome.id)
          : [];
    expect(offered, said).toContain(outcome);
  }
});

/** Somebody who does it well, somebody who does not. */
const plays: Record<string, { readonly well: readonly string[]; readonly badly: readonly string[] }> = {
  'preset-pricing-call': {
    well: [
      'Before we talk about the rate, what does the broken checkout cost you today?',
      'So you lose 3,200 a month. Fixing that pays for itself in spring.',
      'My rate is $150, and it stays there.',
    ],
    badly: ["I know it's a lot, but the price is negotiable.", 'Okay, I can do it for 120.', 'Fine, 100 then.'],
  },
  'preset-negotiation': {
    well: [
      'Help me understand, what is behind the 14?',
      'If you keep 11.50, we could commit to two years.',
      'And if you like, we could pay within ten days in return.',
    ],
    badly: ["That's ridiculous, you are ripping us off!", 'You will regret this.'],
  },
  'preset-salary-raise': {
    well: [
      'Since I rebuilt the onboarding, new people need 5 weeks and not 8.',
      "I'd like to raise my salary to 68,000.",
      'What would have to be true by June for a yes?',
    ],
    badly: ['My rent went up and I work so hard.', 'Give me ten percent or I quit.'],
  },
  'preset-difficult-conversation': {
    well: [
      'I have bad news. Your project is cancelled.',
      'I can see that this is a shock. Take your time.',
      "Let's sit together tomorrow at ten and plan how to tell the team.",
    ],
    badly: ['Well, as you know priorities have changed.', 'Calm down, it could be worse.', "It's just business."],
  },
  'preset-presentation-qa': {
    well: [
      'Because two branches have used it since March, and it saves them 6 hours a week.',
      "I don't know yet. I'll send you the number by Friday.",
      'We stop if fewer than half of the staff use it in week six.',
    ],
    badly: ['We strongly believe in it.', "As I already explained, you don't understand the concept."],
  },
  'preset-job-interview': {
    well: [
      'The database died before launch, so I split the team and called the client myself.',
      'In the end we opened two hours late with all data.',
      'It was my mistake that nobody had tested the backup. Since then I test it every month.',
    ],
    badly: ["I'm a team player and a perfectionist.", 'It was not my fault, my boss was an idiot.'],
  },
  'dashboard-meeting': {
    well: [
      'How many sign-ups is that in absolute numbers?',
      'What happened to people who did not get the mail?',
      "Let's send it to a random half for two weeks and compare.",
    ],
    badly: ["That's nonsense, correlation is not causation.", 'Everyone knows that, it is basic statistics.'],
  },
  'the-wrong-number': {
    well: [
      "I'll count the rows before and after the join.",
      'The join with the parcels repeats the order, so it is counted twice.',
      "I'll sum the orders first and join the parcels separately.",
    ],
    badly: ['Accounting is wrong, my query is correct.', "I'll just add a distinct."],
  },
};

describe('role plays', () => {
  const scenarios = packs.flatMap((pack) => pack.scenarios.map((scenario) => ({ pack, scenario })));

  test.each(scenarios)('$scenario.id reacts to what is said', ({ pack, scenario }) => {
    const act = (lines: readonly string[]) => {
      let state = freshPractice;
      const replies = lines.map((line, index) => {
        const step = playTurn(scenario, state, line, index + 1, pack.synonyms);
        state = step.state;
        return step.reply;
      });
      return { state, replies, feedback: feedbackOn(scenario, state, lines.length) };
    };
    const play = plays[scenario.id];
    expect(play, `a test for ${scenario.id}`).toBeDefined();
    const well = act(play?.well ?? []);
    const badly = act(play?.badly ?? []);
    expect(well.state.over, well.replies.join(' | ')).toBe(true);
    expect(well.state.mood).toBeGreaterThan(badly.state.mood);
    expect(new Set([...well.replies, ...badly.replies]).size).toBe(well.replies.length + badly.replies.length);
    expect(well.feedback.positives.length).toBeGreaterThanOrEqual(2);
    expect(well.feedback.positives.every((line) => line.includes('“'))).toBe(true);
    expect(badly.feedback.improvements.length).toBeGreaterThanOrEqual(1);
    expect(badly.feedback.revealedGaps.length).toBeGreaterThanOrEqual(1);
    expect(hintFor(scenario, freshPractice, 0)).toBeTruthy();
  });
});
