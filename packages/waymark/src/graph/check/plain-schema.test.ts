import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePlainSchema } from './plain-schema.ts';

const name = fc.constantFrom('a', 'b', 'c', 'toString');
const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => {
  const inner = fc.oneof({ maxDepth: 2 }, fc.constant({}), tie('schema'));
  const keyword = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(
        fc.constant('type'),
        fc.constantFrom<unknown>('object', 'array', 'string', 'integer', 'number', ['string', 'null'], ['x']),
      ),
    },
    { weight: 3, arbitrary: fc.tuple(fc.constant('properties'), fc.dictionary(name, inner, { maxKeys: 3 })) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('required'), fc.array(name, { maxLength: 2 })) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('items'), inner) },
    fc.tuple(fc.constant('enum'), fc.array(fc.constantFrom<unknown>('x', 1, null, true, {}), { maxLength: 3 })),
    fc.tuple(fc.constantFrom('minimum', 'maximum'), fc.constantFrom<unknown>(-1, 0, 1, '1')),
    fc.tuple(fc.constant('const'), fc.constantFrom<unknown>('x', 1, [1])),
    fc.tuple(fc.constantFrom('description', 'pattern'), fc.constantFrom<unknown>('d', 5)),
  );
  return {
    schema: fc
      .uniqueArray(keyword, { maxLength: 3, selector: ([key]) => key })
      .map((entries) => Object.fromEntries(entries) as Record<string, unknown>),
  };
});
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('x', '', 0, 1, -1, 1.5, true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}));

describe('the quick check of plain schemas', () => {
  test('vouches only for what the whole of JSON Schema accepts', () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    let vouched = 0;
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 5 }), (document, values) => {
        const quick = compilePlainSchema(document);
        if (!quick) return;
        expect(ajv.validateSchema(document)).toBe(true);
        const validate = ajv.compile(document);
        for (const candidate of values) {
          if (!quick(candidate)) continue;
          vouched++;
          expect(validate(candidate), JSON.stringify(candidate)).toBe(true);
        }
      }),
      { numRuns: process.env['WAYMARK_FULL'] ? 5000 : 500 },
    );
    expect(vouched).toBeGreaterThan(50);
  });

  test('knows the schemas graphs usually have', () => {
    const check = compilePlainSchema({
      type: 'object',
      description: 'Arguments',
      properties: {
        n: { type: 'integer', minimum: 1 },
        tags: { type: 'array', items: { type: 'string' } },
        kind: { enum: ['a', 'b'] },
      },
      required: ['n'],
    });
    expect(check?.({ n: 1, tags: ['x'], kind: 'a', more: true })).toBe(true);
    expect([
      check?.({}),
      check?.({ n: 0 }),
      check?.({ n: 1, tags: [1] }),
      check?.({ n: 1, kind: 'c' }),
      check?.([]),
    ]).toEqual([false, false, false, false, false]);
  });

  test.each([
    { type: 'strng' },
    { required: ['a', 'a'] },
    { properties: { toString: {} } },
    { pattern: 'x' },
    { enum: [] },
    true,
    { items: true },
  ])('leaves %j to the compiler', (document) => {
    expect(compilePlainSchema(document)).toBeUndefined();
  });
});
