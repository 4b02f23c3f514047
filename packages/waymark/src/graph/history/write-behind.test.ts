import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../kit/index.ts';
import { WriteBehind } from './write-behind.ts';

function collect(options: { failures?: number; maxBatch?: number } = {}) {
  const batches: number[][] = [];
  let failures = options.failures ?? 0;
  const errors: string[] = [];
  const behind = new WriteBehind<number>({
    log: { ...silentLogger, error: (message) => errors.push(message) },
    maxBatch: options.maxBatch ?? 3,
    delayMs: 5,
    retryDelaysMs: [1, 1],
    async write(batch) {
      await new Promise((resolve) => setImmediate(resolve));
      if (failures-- > 0) throw new Error('the disk is away');
      batches.push([...batch]);
    },
  });
  return { behind, batches, errors };
}

describe('writing behind', () => {
  test('writes by itself after a while', async () => {
    const { behind, batches } = collect();
    behind.add(1);
    behind.add(2);
    await expect.poll(() => batches).toEqual([[1, 2]]);
  });

  test('keeps the order, in batches no larger than allowed', async () => {
    const { behind, batches } = collect();
    for (let number = 1; number <= 8; number++) behind.add(number);
    await behind.flush();
    expect(batches.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(3);
  });

  test('puts what comes during a write into one next batch', async () => {
    const { behind, batches } = collect({ maxBatch: 100 });
    behind.add(0);
    const first = behind.flush();
    const others = Array.from({ length: 20 }, (_, index) => {
      behind.add(index + 1);
      return behind.flush();
    });
    await first;
    expect(batches).toEqual([[0]]);
    await Promise.all(others);
    expect(batches).toHaveLength(2);
    await behind.flush();
  });

  test('tries again, loses nothing and keeps the order', async () => {
    const { behind, batches, errors } = collect({ failures: 2 });
    for (const number of [1, 2, 3, 4]) behind.add(number);
    await behind.flush();
    expect(batches.flat()).toEqual([1, 2, 3, 4]);
    expect(errors).toEqual([]);
  });

  test('gives up in the end and says so, and goes on with the rest', async () => {
    const { behind, batches, errors } = collect({ failures: 3 });
    behind.add(1);
    await behind.flush();
    behind.add(2);
    await behind.flush();
    expect(errors).toEqual(['history could not be written']);
    expect(batches).toEqual([[2]]);
  });
});
