import { describe, expect, test } from 'vitest';
import { foldEvents, type RunEvent } from './events.ts';

const events: RunEvent[] = [
  { seq: 0, at: 0, type: 'run-started' },
  { seq: 1, at: 1, type: 'node-started', node: 'loop', path: '' },
  { seq: 2, at: 2, type: 'node-ended', node: 'loop', path: '', index: 0, output: 1, durationUs: 1000 },
  { seq: 3, at: 3, type: 'run-paused', node: 'loop', path: '', reason: 'breakpoint' },
  { seq: 4, at: 4, type: 'value-changed', node: 'loop', path: '', value: 5 },
  { seq: 5, at: 5, type: 'run-resumed' },
  { seq: 6, at: 6, type: 'node-started', node: 'loop', path: '' },
  {
    seq: 7,
    at: 7,
    type: 'node-ended',
    node: 'loop',
    path: '',
    index: 1,
    output: {},
    error: { code: 'TIMEOUT', message: 'late' },
  },
  { seq: 8, at: 8, type: 'run-ended', status: 'failed', error: { code: 'TIMEOUT', message: 'late', node: 'loop' } },
];

describe('a run folded from its events', () => {
  test('shows where it stands after any event', () => {
    expect(foldEvents(events, 1).states.get('loop')).toBe('running');
    expect(foldEvents(events, 2).states.get('loop')).toBe('done');
    expect(foldEvents(events, 3)).toMatchObject({ pausedAt: 'loop' });
    expect(foldEvents(events, 3).states.get('loop')).toBe('paused');
    expect(foldEvents(events, 5).pausedAt).toBeUndefined();
    expect(foldEvents(events).states.get('loop')).toBe('failed');
    expect(foldEvents(events).end).toMatchObject({ status: 'failed', error: { code: 'TIMEOUT' } });
  });

  test('keeps every visit of a loop, with values changed by hand', () => {
    const { visits, counts } = foldEvents(events);
    expect(counts.get('loop')).toBe(2);
    expect(visits.get('loop')?.map((visit) => visit.output)).toEqual([5, {}]);
  });

  test('a question makes its node wait until it is answered', () => {
    const asked: RunEvent[] = [
      { seq: 0, at: 0, type: 'node-started', node: 'ask', path: '' },
      { seq: 1, at: 1, type: 'question-asked', question: { id: 'q', node: 'ask', message: 'Go?' } },
      { seq: 2, at: 2, type: 'question-answered', id: 'q' },
    ];
    expect(foldEvents(asked, 1).states.get('ask')).toBe('waiting');
    expect(foldEvents(asked, 1).questions).toHaveLength(1);
    expect(foldEvents(asked).questions).toEqual([]);
    expect(foldEvents(asked).states.get('ask')).toBe('running');
  });
});
