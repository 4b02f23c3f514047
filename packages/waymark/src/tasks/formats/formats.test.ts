import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Task, TaskContent } from '../model.ts';
import { readTitle } from '../content-rules.ts';
import { parseCsv } from './csv.ts';
import { formatNames, formats, guessFormat } from './index.ts';

const now = new Date('2026-11-18T15:30:00-05:00');
const context = { now, zone: 'America/New_York' };
const read = (format: keyof typeof formats, text: string) => formats[format].read(text, context);

function taskOf(content: Partial<TaskContent> & { title: string }): Task {
  return {
    id: 'task_1',
    userId: 'u1',
    createdAt: now,
    updatedAt: now,
    version: 1,
    position: 1,
    description: null,
    dueDate: null,
    priority: 'medium',
    completed: false,
    completedAt: null,
    labels: [],
    recurrence: null,
    ...content,
  };
}

describe('Todoist CSV', () => {
  test('reads a project template', () => {
    const text = [
      '\uFEFFTYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE',
      'meta,view_style=list,,,,,,,,',
      'task,"Buy milk, eggs @errands @home",oat,1,1,Ann (1),,tomorrow 5pm,en,America/New_York',
      'note,"the ""good"" one\nfrom the market",,,,,,,,',
      'task,Subtask,,4,2,,,,,',
      'section,Big House,,,,,,,,',
      'task,Water plants,,3,1,,,every! monday at 9:00,en,',
      'task,Odd,,9,1,,,someday,en,',
      'task,,,4,1,,,,,',
      'sport,football,,,,,,,,',
    ].join('\r\n');
    const { tasks, problems } = read('todoist-csv', text);
    expect(tasks).toMatchObject([
      {
        title: 'Buy milk, eggs',
        description: 'oat\nthe "good" one\nfrom the market',
        priority: 'high',
        labels: ['errands', 'home'],
        dueDate: '2026-11-19T17:00:00-05:00',
      },
      { title: 'Subtask', priority: 'medium', labels: [] },
      {
        title: 'Water plants',
        priority: 'low',
        labels: ['Big-House'],
        recurrence: 'FREQ=WEEKLY;BYDAY=MO',
        dueDate: '2026-11-23T09:00:00-05:00',
      },
      { title: 'Odd', priority: 'medium', dueDate: null },
    ]);
    expect(problems).toEqual([
      { line: 6, message: 'A subtask becomes a task of its own', skipped: false },
      { line: 9, message: 'Unknown priority "9"; medium is used', skipped: false },
      { line: 9, message: 'The date "someday" is not understood and is left out', skipped: false },
      { line: 10, message: 'Task title must be 1-500 characters', skipped: true },
      { line: 11, message: 'Unknown row type "sport"', skipped: true },
    ]);
  });

  test('a file of another kind is refused with a reason', () => {
    expect(read('todoist-csv', 'name,age\nAnn,7').problems[0]?.message).toContain('TYPE and CONTENT');
    expect(read('todoist-csv', '').tasks).toEqual([]);
  });

  test('cells with every awkward character survive', () => {
    expect(parseCsv('a,"b ""c"", d",\r\n"x\ny",,z\n')).toEqual([
      { line: 1, cells: ['a', 'b "c", d', ''] },
      { line: 2, cells: ['x\ny', '', 'z'] },
    ]);
  });
});

describe('iCalendar', () => {
  test('reads to-dos of other programs and leaves the rest alone', () => {
    const text = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Somebody//EN',
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'SUMMARY:Party',
      'END:VEVENT',
      'BEGIN:VTODO',
      'UID:1',
      'SUMMARY;LANGUAGE=en:Buy milk\\, eggs\\; and a very long line that has been fol',
      ' ded by the other program',
      'DESCRIPTION:first\\nsecond \\\\ third',
      'DUE;TZID="Europe/Berlin":20261127T180000',
      'PRIORITY:1',
      'CATEGORIES:home,deep work',
      'BEGIN:VALARM',
      'DESCRIPTION:Reminder',
      'TRIGGER:-PT15M',
      'END:VALARM',
      'END:VTODO',
      'begin:vtodo',
      'summary:done',
      'STATUS:COMPLETED',
      'COMPLETED:20261101T120000Z',
      'DUE;VALUE=DATE:20261101',
      'PRIORITY:9',
      'end:vtodo',
      'BEGIN:VTODO',
      'SUMMARY:weekly',
      'DTSTART;VALUE=DATE:20261123',
      'RRULE:FREQ=WEEKLY;BYDAY=MO',
      'END:VTODO',
      'BEGIN:VTODO',
      'SUMMARY:odd',
      'DUE:20260230',
      'RRULE:FREQ=SECONDLY',
      'END:VTODO',
      'BEGIN:VTODO',
      'SUMMARY:dropped',
      'STATUS:CANCELLED',
      'END:VTODO',
      'END:VCALENDAR',
    ].join('\r\n');
    const { tasks, problems } = read('icalendar', text);
    expect(tasks).toMatchObject([
      {
        title: 'Buy milk, eggs; and a very long line that has been folded by the other program',
        description: 'first\nsecond \\ third',
        dueDate: '2026-11-27T12:00:00-05:00',
        priority: 'high',
        labels: ['home', 'deep-work'],
        completed: false,
      },
      {
        title: 'done',
        completed: true,
        completedAt: new Date('2026-11-01T12:00:00Z'),
        dueDate: '2026-11-01',
        priority: 'low',
      },
      { title: 'weekly', recurrence: 'FREQ=WEEKLY;BYDAY=MO', dueDate: '2026-11-23' },
      { title: 'odd', dueDate: null, recurrence: null },
    ]);
    expect(problems.map(({ message }) => message)).toEqual([
      'The date "20260230" is not understood and is left out',
      'The repetition is left out: FREQ must be one of DAILY, WEEKLY, MONTHLY, YEARLY',
      'Cancelled: dropped',
      '1 VEVENT left out; only VTODO is a task',
    ]);
  });

  test('is written with CRLF, folded at 75 bytes, never inside a character', () => {
    const text = formats.icalendar.write([taskOf({ title: '😀'.repeat(60), dueDate: '2026-11-27' })], context);
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    expect(text).not.toContain('\uFFFD');
    expect(text).toContain('DUE;VALUE=DATE:20261127\r\n');
    expect(read('icalendar', text).tasks[0]?.title).toBe('😀'.repeat(60));
  });

  test('what is no calendar is refused with a reason', () => {
    expect(read('icalendar', 'hello').problems.at(-1)).toMatchObject({ skipped: true });
    expect(read('icalendar', 'BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:x').problems[0]?.message).toContain('END:VTODO');
  });
});

describe('todo.txt', () => {
  test.each([
    [
      '(A) 2026-11-01 Call mom +Family @phone due:2026-11-20',
      { title: 'Call mom', priority: 'high', labels: ['Family', 'phone'], dueDate: '2026-11-20' },
    ],
    [
      'x 2026-11-17 2026-11-01 Pay rent pri:C',
      { title: 'Pay rent', completed: true, priority: 'low', completedAt: new Date('2026-11-17T05:00:00Z') },
    ],
    ['x done without dates', { title: 'done without dates', completed: true, completedAt: now }],
    ['xylophone lesson', { title: 'xylophone lesson', completed: false }],
    ['(b) small letters are no priority', { title: '(b) small letters are no priority', priority: 'medium' }],
    [
      'Mail bob@example.com about http://example.com/due:x',
      { title: 'Mail bob@example.com about http://example.com/due:x', labels: [] },
    ],
    ['gym rec:2d due:2026-11-19', { recurrence: 'FREQ=DAILY;INTERVAL=2', dueDate: '2026-11-19' }],
    ['standup rec:1b', { recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' }],
    ['dentist due:2026-11-19 time:09:30', { dueDate: '2026-11-19T09:30:00-05:00' }],
  ])('%s', (line, expected) => {
    expect(read('todo-txt', line).tasks).toMatchObject([expected]);
  });

  test('tells what it could not read', () => {
    const { problems } = read('todo-txt', 'a due:soon\n\nb rec:often\n@only +labels');
    expect(problems).toEqual([
      { line: 1, message: 'The date "due:soon" is not understood and is left out', skipped: false },
      { line: 3, message: 'The repetition "rec:often" is left out', skipped: false },
      { line: 4, message: 'Task title must be 1-500 characters', skipped: true },
    ]);
  });
});

describe('there and back', () => {
  const word = fc.constantFrom(
    'buy',
    'milk',
    'Größe',
    '買い物',
    '😀',
    '100%',
    'a,b',
    '"quoted"',
    'semi;colon',
    'back\\slash',
    "it's",
    '=1+1',
  );
  const title = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
  const label = fc.constantFrom('home', 'Work', 'deep-work', 'größe', 'v1.5');
  const dueDate = fc.constantFrom(null, '2026-11-20', '2027-06-01T17:00:00-04:00', '2026-12-05T09:30:00-05:00');
  const recurrence = fc.constantFrom(
    null,
    'FREQ=DAILY',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR',
    'FREQ=MONTHLY;BYDAY=-1FR',
    'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25',
  );
  const content = fc.record({
    title,
    description: fc.option(title.map((text) => `${text}\nsecond line`)),
    dueDate,
    priority: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
    labels: fc.uniqueArray(label, { maxLength: 3 }),
  });

  test.each(formatNames)('%s gives back what it holds', (name) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(content, recurrence), { maxLength: 5 }), (entries) => {
        const tasks = entries.map(([entry, rule]) =>
          taskOf({ ...entry, title: readTitle(entry.title), recurrence: entry.dueDate === null ? null : rule }),
        );
        const { tasks: back, problems } = read(name, formats[name].write(tasks, context));
        expect(problems).toEqual([]);
        const essence = ({ title, description, dueDate, priority, labels, recurrence }: TaskContent) => ({
          title,
          dueDate,
          priority,
          labels,
          recurrence,
          ...(name === 'todo-txt' ? {} : { description }),
        });
        expect(back.map(essence)).toEqual(tasks.map(essence));
      }),
      { numRuns: process.env['WAYMARK_FULL'] ? 5000 : 200 },
    );
  });

  test.each(formatNames)('%s never breaks on any text', (name) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const prefix of ['', 'BEGIN:VCALENDAR\nBEGIN:VTODO\n', 'TYPE,CONTENT\ntask,']) read(name, prefix + text);
      }),
    );
  });
});

test('the format of a file is seen from its name or its first line', () => {
  expect(guessFormat('a.ICS', '')).toBe('icalendar');
  expect(guessFormat('export', 'BEGIN:VCALENDAR\n')).toBe('icalendar');
  expect(guessFormat('-', '"TYPE",CONTENT')).toBe('todoist-csv');
  expect(guessFormat('todo.txt', '')).toBe('todo-txt');
  expect(guessFormat('tasks.doc', 'hello')).toBeUndefined();
});
