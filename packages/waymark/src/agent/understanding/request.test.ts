import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfirmation, readTarget, understand } from './index.ts';
import { matchReport, matchTasks } from './matching.ts';

/** Wednesday afternoon in New York. */
const dates = { now: new Date('2026-11-18T15:30:00-05:00'), zone: 'America/New_York' };
const read = (message: string) => understand(message, dates);

describe('a new task', () => {
  test.each([
    ['add call mom tomorrow, it is important', { title: 'call mom', priority: 'high', due: { value: '2026-11-19' } }],
    ['Remind me to call Dana at 3 pm', { title: 'call Dana', due: { value: '2026-11-19T15:00:00-05:00' } }],
    ['on friday remind me to wear green', { title: 'wear green', due: { value: '2026-11-20' } }],
    ['I have to leave at 6, remind me', { title: 'leave', due: { value: '2026-11-18T18:00:00-05:00' } }],
    ['set a daily reminder for vitamins', { title: 'vitamins', recurrence: { rule: 'FREQ=DAILY' } }],
    [
      'remind me at 8 pm every day to feed the dog',
      { title: 'feed the dog', due: { value: '2026-11-18T20:00:00-05:00' }, recurrence: { rule: 'FREQ=DAILY' } },
    ],
    ['add a high priority task to call the bank', { title: 'call the bank', priority: 'high' }],
    ['urgent: add submit the report', { title: 'submit the report', priority: 'high' }],
    ['my shopping list needs carrots', { title: 'carrots' }],
    ['add "watch Freaky Friday" to my list', { title: 'watch Freaky Friday' }],
    ['add book the hall with note: ask for the piano', { title: 'book the hall', description: 'ask for the piano' }],
    ['I ran out of soap so put it on the list', { title: 'soap' }],
  ])('%s', (message, task) => {
    expect(read(message)).toMatchObject([{ intent: 'add', tasks: [task] }]);
  });

  test('of impossible dates says so', () => {
    expect(read('add party on february 30')).toMatchObject([
      { intent: 'add', tasks: [{ title: 'party' }], dateProblem: { text: 'on february 30' } },
    ]);
  });

  test('keeps its title to the letter, whatever the title is', () => {
    const words = fc.constantFrom('Fix', 'the', 'grüne', 'Tür', 'x86', '(soon)', 'a/b', 'C++', '50%', '🥛', 'naïve');
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), (parts) => {
        const title = `call ${parts.join(' ')} z`;
        expect(read(`add ${title} to my list`)).toMatchObject([{ intent: 'add', tasks: [{ title }] }]);
      }),
    );
  });
});

describe('a list', () => {
  test.each([
    ['what tasks are due today?', { question: 'show', filter: { due: { from: '2026-11-18', before: '2026-11-19' } } }],
    ["what's overdue", { filter: { overdue: true, completed: false } }],
    ['show high priority tasks due tomorrow', { filter: { priority: 'high', due: { from: '2026-11-19' } } }],
    ['what is due next week', { filter: { due: { from: '2026-11-23', before: '2026-11-30' } } }],
    ['is buy bread on my list?', { question: 'exists', name: 'buy bread' }],
    ['when is the dentist due', { question: 'due', name: 'dentist' }],
    ['how many tasks are open', { question: 'count', filter: { completed: false } }],
    ['show tasks about rent', { question: 'show', name: 'rent' }],
    ['what did I finish this week', { filter: { completed: true } }],
    ['what needs to be done today', { filter: { completed: false } }],
  ])('%s', (message, expected) => {
    expect(read(message)).toMatchObject([{ intent: 'list', ...expected }]);
  });
});

describe('a change', () => {
  test.each([
    [
      'change meeting to 4pm',
      { kind: 'name', text: 'meeting' },
      { due: { value: '2026-11-18T16:00:00-05:00', said: 'time' }, dueWords: '4pm' },
    ],
    ['rename the yoga task to pilates', { kind: 'name', text: 'yoga' }, { title: 'pilates' }],
    ['postpone it by a week', { kind: 'pronoun' }, { shift: { amount: 1, unit: 'week' } }],
    ['move the meeting up an hour', { text: 'meeting' }, { shift: { amount: -1, unit: 'hour' } }],
    ['remove the due date from pay rent', { text: 'pay rent' }, { clearDue: true }],
    ['lower the priority of laundry', { text: 'laundry' }, { priorityStep: -1 }],
    ['set priority of number 2 to high', { kind: 'positions', positions: [2] }, { priority: 'high' }],
    ['change the reminder from 5 to 6', { kind: 'pronoun' }, { due: { value: '2026-11-18T18:00:00-05:00' } }],
    ['set my dentist reminder to 4 instead of 3', { text: 'dentist' }, { due: { value: '2026-11-18T16:00:00-05:00' } }],
    ['mark the budget as not done', { text: 'budget' }, { completed: false }],
    ['add a note to the dentist task: bring the card', { text: 'dentist' }, { description: 'bring the card' }],
    ['actually make it friday at 2pm', { kind: 'pronoun' }, { due: { value: '2026-11-20T14:00:00-05:00' } }],
  ])('%s', (message, target, patch) => {
    expect(read(message)).toMatchObject([{ intent: 'update', target, patch }]);
  });

  test('to a date that is none is told', () => {
    expect(read('change the due date of pay rent to blursday')).toMatchObject([{ dateProblem: 'blursday' }]);
  });
});

describe('several requests in one message', () => {
  test.each([
    ['add milk and show my list', ['add', 'list']],
    ['mark milk as done and add eggs', ['complete', 'add']],
    ['I bought the milk and paid the rent', ['complete', 'complete']],
    ['show my tasks and delete the first one', ['list', 'delete']],
    ['add buy salt and pepper', ['add']],
    ['add download photos and delete duplicates', ['add']],
    ['add delete old photos to my list', ['add']],
    ['go to my list and remove eggs', ['delete']],
  ])('%s', (message, intents) => {
    expect(read(message).map(({ intent }) => intent)).toEqual(intents);
  });
});

describe('targets', () => {
  test.each([
    ['the second one', { kind: 'positions', positions: [2] }],
    ['number two', { kind: 'positions', positions: [2] }],
    ['#3', { kind: 'positions', positions: [3] }],
    ['1, 3 and 5', { kind: 'positions', positions: [1, 3, 5] }],
    ['the last task', { kind: 'positions', positions: [-1] }],
    ['the first two', { kind: 'positions', positions: [1, 2] }],
    ['it', { kind: 'pronoun', plural: false }],
    ['both of them', { kind: 'pronoun', plural: true }],
    ['all my tasks', { kind: 'all', filter: {} }],
    ['all completed tasks', { kind: 'all', filter: { completed: true } }],
    ['both meeting tasks', { kind: 'name', text: 'meeting', every: true }],
    ['my reminder to call mom', { kind: 'name', text: 'call mom' }],
    ['the one about paint', { kind: 'name', text: 'paint' }],
    ['old reminder', { kind: 'name', said: 'old reminder' }],
  ])('%s', (text, target) => {
    expect(readTarget(text, dates)).toMatchObject(target);
  });
});

describe('matching', () => {
  const tasks = ['buy milk', 'buy oat milk', 'call mom', 'team meeting', 'meeting with Sam', 'wash the car'].map(
    (title) => ({ title, completed: false }),
  );
  const titles = (name: string) => matchTasks(name, tasks).map(({ title }) => title);

  test.each([
    ['buy milk', ['buy milk']],
    ['milk', ['buy milk', 'buy oat milk']],
    ['the meeting', ['team meeting', 'meeting with Sam']],
    ['meetings with sam', ['meeting with Sam']],
    ['washing the car', ['wash the car']],
    ['meetnig with sam', ['meeting with Sam']],
    ['mum', []],
    ['me', []],
  ])('"%s" means %j', (name, found) => {
    expect(titles(name)).toEqual(found);
  });

  test('prefers what is open', () => {
    expect(
      matchTasks('milk', [
        { title: 'buy milk', completed: true },
        { title: 'spill milk', completed: false },
      ]),
    ).toHaveLength(1);
  });

  test('finds what a report is about, by its verb where several fit', () => {
    const two = [
      { title: 'call mom', completed: false },
      { title: 'visit mom', completed: false },
    ];
    expect(matchReport('mom', 'call', two).map(({ title }) => title)).toEqual(['call mom']);
    expect(matchReport('the report to Bob', 'send', [{ title: 'send report', completed: false }])).toHaveLength(1);
  });
});

describe('confirmation', () => {
  test.each([
    'yes',
    'Yes, delete it',
    'yep',
    'y',
    'ok do it',
    'sure',
    'go ahead',
    'Yes!',
    "yes, I'm sure",
    'please do',
    'absolutely',
    'confirm',
  ])('"%s" is a yes', (text) => {
    expect(readConfirmation(text)).toBe('yes');
  });
  test.each([
    'no',
    'No, keep it',
    'definitely not',
    'absolutely not',
    'certainly not',
    'cancel',
    "don't",
    'yes, no, I mean no',
    'not yet',
    'never mind',
    'keep it',
    'no way',
  ])('"%s" is a no', (text) => {
    expect(readConfirmation(text)).toBe('no');
  });
  test.each(['maybe', 'hmm', 'what?', 'purple', '', 'delete it', 'yes but only the first'])(
    '"%s" is neither',
    (text) => {
      expect(readConfirmation(text)).not.toBe('yes');
    },
  );
  test('whatever holds a negation is never a yes', () => {
    const words = fc.constantFrom('yes', 'sure', 'ok', 'delete', 'it', 'please', 'now', 'absolutely');
    const negation = fc.constantFrom('not', "don't", 'never', 'no');
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 4 }),
        negation,
        fc.array(words, { maxLength: 4 }),
        (before, not, after) => {
          expect(readConfirmation([...before, not, ...after].join(' '))).not.toBe('yes');
        },
      ),
    );
  });
});
