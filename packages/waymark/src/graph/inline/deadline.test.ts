import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { oneNode, start } from '../graph.test-helpers.ts';
import { Deadline } from './deadline.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the time a run may take', () => {
  test('ends, and says how long it was', () => {
    const over = vi.fn();
    new Deadline(1000, over).start();
    vi.advanceTimersByTime(999);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2);
    expect(over).toHaveBeenCalledExactlyOnceWith(expect.closeTo(1000, -1));
  });

  test('stands still while it is held, also by several at once', () => {
    const over = vi.fn();
    const deadline = new Deadline(1000, over);
    deadline.start();
    vi.advanceTimersByTime(600);
    deadline.hold();
    deadline.hold();
    vi.advanceTimersByTime(3_600_000);
    deadline.release();
    vi.advanceTimersByTime(3_600_000);
    deadline.release();
    expect(deadline.isOver(performance.now())).toBe(false);
    vi.advanceTimersByTime(399);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2);
    expect(over).toHaveBeenCalledOnce();
  });

  test('does not wait for ever', () => {
    const over = vi.fn();
    const deadline = new Deadline(1000, over);
    deadline.start();
    deadline.hold();
    vi.advanceTimersByTime(86_400_001);
    expect(over).toHaveBeenCalledOnce();
  });

  test('is not used up while a person is asked', async () => {
    const source = oneNode(
      '{ id: work, type: approve, message: Sure?, next: exit }',
      'executionLimits: { maxExecutionTimeMs: 1000 }',
    );
    const handle = start(source);
    await vi.waitFor(() => expect(handle.questions()).toHaveLength(1));
    vi.advanceTimersByTime(3_600_000);
    handle.answer('q1', { action: 'accept' });
    expect(await handle.outcome).toMatchObject({ status: 'succeeded' });
  });
});
