import crypto from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDesk, smallBook } from './hnpx.test-helpers.ts';
import { newNodeId, packId, unpackId } from './node-id.ts';

describe('node ids', () => {
  test('pack into a number and back', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{6}$/), (id) => {
        expect(unpackId(packId(id))).toBe(id);
        expect(packId(id)).toBeLessThan(2 ** 32);
      }),
    );
  });

  test('are drawn again on collision, three times at most [HNPX-102]', () => {
    const draws = [5, 5, 7];
    const taken = (packed: number) => packed === 5;
    expect(newNodeId(() => draws.shift() ?? 0, taken)).toBe('000007');
    let attempts = 0;
    const always = () => (attempts++, 5);
    expect(() => newNodeId(always, taken)).toThrow(expect.objectContaining({ code: 'DUPLICATE_ID' }));
    expect(attempts).toBe(3);
  });

  test('a tool that finds no free id says so and writes nothing [HNPX-089]', async () => {
    const desk = await openDesk({ random: () => packId('b00001') });
    await writeFile(join(desk.directory, 'a.hnpx'), smallBook);
    const error = await desk.refuse('create_beat', { file_path: 'a.hnpx', parent_id: 's00001', summary: 's' });
    expect(error).toMatchObject({ code: 'DUPLICATE_ID', message: 'Could not generate a unique id' });
  });

  test('come from the secure source and use its whole range [HNPX-101]', async () => {
    const spy = vi.spyOn(crypto, 'randomInt');
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    const desk = await openDesk();
    const { id } = await desk.use('create_document', { file_path: 'a.hnpx' });
    expect(spy).toHaveBeenCalledExactlyOnceWith(36 ** 6);
    expect(unpackId(spy.mock.results[0]?.value as unknown as number)).toBe(id);
  });
});
