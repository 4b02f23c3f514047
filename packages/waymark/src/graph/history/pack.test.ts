import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Packer, referencesOf, unpack } from './pack.ts';

function store() {
  const blobs = new Map<string, string>();
  const packer = new Packer();
  const keep = (value: unknown) => {
    const packed = packer.pack(value);
    for (const { hash, text } of packed.blobs) blobs.set(hash, text);
    return packed;
  };
  const bytes = () => [...blobs.values()].reduce((sum, text) => sum + text.length, 0);
  return { blobs, keep, bytes };
}

describe('packing values for the history', () => {
  test('gives back any JSON value exactly', () => {
    const long = fc.string({ unit: 'binary', minLength: 0, maxLength: 900 });
    const value = fc.jsonValue({ maxDepth: 4 });
    const accumulated = fc.array(fc.oneof(value, long), { maxLength: 150 });
    fc.assert(
      fc.property(fc.array(fc.oneof(value, accumulated, fc.dictionary(long, value)), { maxLength: 4 }), (values) => {
        const { blobs, keep } = store();
        const texts = values.map((one) => keep(one).text);
        const expected = JSON.parse(JSON.stringify(values)) as unknown[];
        for (const [position, text] of texts.entries()) expect(unpack(text, blobs)).toEqual(expected[position]);
      }),
      { numRuns: 150 },
    );
  });

  test('does not mistake data for its own markers', () => {
    const { blobs, keep } = store();
    const tricky = [{ $: 'abc' }, { $: { c: [1] } }, { $: { o: [] }, other: 1 }, { deep: [{ $: { $: 1 } }] }];
    for (const value of tricky) expect(unpack(keep(value).text, blobs)).toEqual(value);
    const hostile = JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as object;
    const back = unpack(keep(hostile).text, blobs) as object;
    expect(Object.keys(back)).toEqual(['__proto__', 'constructor']);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('keeps the order of keys and characters that a database refuses', () => {
    const { blobs, keep } = store();
    const value = { zebra: 1, apple: 2, text: 'a\u0000b\ud800' };
    const back = unpack(keep(value).text, blobs);
    expect(JSON.stringify(back)).toBe(JSON.stringify(value));
  });

  test('stores an accumulator once, not once per step', () => {
    const { keep, bytes } = store();
    let list: { id: number; text: string }[] = [];
    let snapshots = 0;
    for (let id = 0; id < 1000; id++) {
      list = [...list, { id, text: `entry ${id} `.repeat(15) }];
      keep(list);
      snapshots += JSON.stringify(list).length;
    }
    expect(bytes()).toBeLessThan(snapshots / 20);
  });

  test('hands out a part only once and names every part it points at', () => {
    const { blobs, keep } = store();
    const large = { text: 'x'.repeat(2000) };
    const first = keep({ large, n: 1 });
    const second = keep({ large, n: 2 });
    expect(first.blobs).toHaveLength(1);
    expect(second.blobs).toHaveLength(0);
    expect(referencesOf(second.text).every((hash) => blobs.has(hash))).toBe(true);
    expect(referencesOf(second.text)).toEqual(referencesOf(first.text));
  });

  test('survives values JSON has no word for', () => {
    const { blobs, keep } = store();
    const value = {
      missing: undefined,
      call: () => 1,
      big: 10n,
      at: new Date(0),
      list: [undefined],
      infinite: Infinity,
    };
    expect(unpack(keep(value).text, blobs)).toEqual({
      big: '10',
      at: '1970-01-01T00:00:00.000Z',
      list: [null],
      infinite: null,
    });
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    expect(unpack(keep(circular).text, blobs)).toBe('[too deeply nested to record]');
  });
});
