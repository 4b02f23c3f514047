import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { describe, expect, test } from 'vitest';
import { readPack } from './pack-lint.ts';
import type { Pack } from './pack-model.ts';
import { examplePacks } from './sage.test-helpers.ts';

const example = readFileSync(join(examplePacks, 'saying-no.yaml'), 'utf8');
const shipped = fileURLToPath(new URL('../../assets/packs', import.meta.url));
const shippedNames = (() => {
  try {
    return readdirSync(shipped).filter((name) => name.endsWith('.yaml'));
  } catch {
    return [];
  }
})();

// Packs under test are bent on purpose, also into what their type forbids.
type Loose = ReturnType<typeof JSON.parse>;

function codesAfter(change: (pack: Loose) => void): string[] {
  const pack: Loose = parse(example);
  change(pack);
  return readPack(stringify(pack)).problems.map(({ code }) => code);
}

describe('the pack linter', () => {
  test('the example is without problems, as YAML and as JSON', () => {
    expect(readPack(example).problems).toEqual([]);
    expect(readPack(JSON.stringify(parse(example))).problems).toEqual([]);
  });

  test.each(shippedNames)('the shipped pack %s is without errors', (name) => {
    const { problems } = readPack(readFileSync(join(shipped, name), 'utf8'));
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('no two shipped packs share a concept or a scenario', () => {
    const packs = shippedNames.flatMap((name) => readPack(readFileSync(join(shipped, name), 'utf8')).pack ?? []);
    const ids = packs.flatMap((pack: Pack) => [...pack.concepts, ...pack.scenarios].map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([
    ['UNKNOWN_ID', (pack: Loose) => pack.outcomes[0].requires.push('nothing')],
    ['UNKNOWN_ID', (pack: Loose) => (pack.scenarios[0].beats[0].when.done = ['nothing'])],
    ['DUPLICATE_ID', (pack: Loose) => (pack.concepts[1].id = 'clear_no')],
    ['PREREQUISITE_CYCLE', (pack: Loose) => (pack.concepts[0].prerequisites = ['real_alternative'])],
    ['TEACHING_ORDER', (pack: Loose) => pack.outcomes[0].requires.reverse()],
    ['BAD_PATTERN', (pack: Loose) => (pack.concepts[0].checks[0].criteria[0].unless = ['/(/'])],
    ['SLOW_PATTERN', (pack: Loose) => (pack.concepts[0].checks[0].criteria[0].unless = ['/(a+)+b/'])],
    [
      'GOOD_NOT_SOLID',
      (pack: Loose) => pack.concepts[0].checks[0].good.push('They are all very nice people to me, I think.'),
    ],
    ['WEAK_IS_SOLID', (pack: Loose) => pack.concepts[0].checks[0].weak.push(pack.concepts[0].checks[0].good[0])],
    ['NO_EXPLAIN_CHECK', (pack: Loose) => (pack.concepts[0].checks[0].kind = 'boundary')],
    ['ONLY_EXPLAIN_CHECKS', (pack: Loose) => (pack.concepts[0].checks[1].kind = 'explain')],
    [
      'NOTHING_REQUIRED',
      (pack: Loose) => pack.concepts[0].checks[1].criteria.forEach((item: Loose) => (item.required = false)),
    ],
    ['SAME_APPROACH', (pack: Loose) => (pack.concepts[0].teach[1].approach = 'contrast')],
    ['NO_LAST_BEAT', (pack: Loose) => pack.scenarios[0].beats.pop()],
    ['UNREACHABLE_BEAT', (pack: Loose) => delete pack.scenarios[0].beats[0].when],
    ['NOTHING_EXPECTED', (pack: Loose) => pack.scenarios[0].moves.forEach((move: Loose) => (move.expected = false))],
    ['LONG_HINT', (pack: Loose) => (pack.scenarios[0].hints[0].text = 'word '.repeat(26))],
    ['EXAMPLE_NOT_RECOGNISED', (pack: Loose) => (pack.scenarios[0].moves[0].examples = ['Good morning to you'])],
    ['FORMAT', (pack: Loose) => (pack.licence = 'MIT')],
    ['FORMAT', (pack: Loose) => delete pack.concepts[0].teach],
  ])('finds %s', (code, change) => {
    expect(codesAfter(change)).toContain(code);
  });

  test('broken YAML is one problem, not an exception', () => {
    expect(readPack('id: [').problems.map(({ code }) => code)).toEqual(['SYNTAX']);
    expect(readPack('').problems.length).toBeGreaterThan(0);
  });
});
