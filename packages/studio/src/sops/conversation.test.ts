import { expect, test } from 'vitest';
import { type ConversationRecord, describeRecord, foldRecords } from './conversation.ts';

const at = '2026-03-01T10:00:00Z';
const move = (
  from: string | null,
  to: string,
  by: 'edge' | 'entry' | 'reentry' | 'repeat' = 'edge',
  complete = false,
) => ({ type: 'moved', from, to, by, complete, at }) as const;
const records: ConversationRecord[] = [
  { type: 'started', at },
  { type: 'loaded', agent: 'shop', file: 'shop.md', reset: false, at },
  move(null, 'START', 'entry'),
  move('START', 'ASK'),
  { type: 'refused', from: 'ASK', to: 'PAY', reason: 'no-edge', at },
  { type: 'todos', todos: [{ content: 'Refund', status: 'pending', completion_node: 'DONE' }], at },
  { type: 'fact', name: 'paid', value: true, at },
  move('ASK', 'ASK', 'repeat'),
  move('ASK', 'DONE', 'edge', true),
  { type: 'fact', name: 'paid', value: null, at },
];

test('follows the path, what was refused, todos and facts', () => {
  const view = foldRecords(records);
  expect(view).toMatchObject({ agent: 'shop', path: ['START', 'ASK', 'DONE'], current: 'DONE', complete: true });
  expect([...view.walked]).toEqual(['START → ASK', 'ASK → DONE']);
  expect(view.visits.get('ASK')).toBe(1);
  expect(view.refused).toEqual([{ from: 'ASK', to: 'PAY', reason: 'no-edge' }]);
  expect(view.facts.size).toBe(0);
});

test('shows how it stood at any earlier moment', () => {
  expect(foldRecords(records, 1)).toMatchObject({ path: [], current: undefined, todos: [] });
  expect(foldRecords(records, 6)).toMatchObject({ current: 'ASK', complete: false });
  expect(foldRecords(records, 6).facts.get('paid')).toBe(true);
});

test('keeps the walks of several procedures apart, and begins anew on a reset', () => {
  const other: ConversationRecord = { type: 'loaded', agent: 'bank', file: 'bank.md', reset: false, at };
  const back: ConversationRecord = { type: 'loaded', agent: 'shop', file: 'shop.md', reset: false, at };
  const anew: ConversationRecord = { ...back, reset: true };
  expect(foldRecords([...records, other, move(null, 'B', 'entry')])).toMatchObject({ agent: 'bank', path: ['B'] });
  expect(foldRecords([...records, other, back])).toMatchObject({ agent: 'shop', current: 'DONE' });
  expect(foldRecords([...records, anew])).toMatchObject({ path: [], current: undefined, complete: false });
});

test('says what happened in words', () => {
  expect(records.map(describeRecord)).toEqual([
    'Conversation started',
    'Loaded shop',
    'Began at START',
    'Went to ASK',
    'Refused ASK → PAY: no arrow leads there',
    'Wrote 1 todo',
    'Noted paid = true',
    'Stayed at ASK',
    'Went to DONE',
    'Forgot paid',
  ]);
});
