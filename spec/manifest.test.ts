import { describe, expect, test } from 'vitest';
import { citedIn, readCitations, readManifest, readOpen } from '../scripts/lib/requirements.mjs';

const manifest = readManifest();
const requirements = manifest.flatMap((system) => system.requirements);
const known = new Set(requirements.map(({ id }) => id));
const citations = readCitations();
const open = readOpen();

describe('the manifest of requirements', () => {
  test('has unique ids, a sentence and a source for each', () => {
    expect(requirements).toHaveLength(known.size);
    for (const requirement of requirements) {
      expect(Object.keys(requirement)).toEqual(['id', 'text', 'source']);
      expect(requirement.text, requirement.id).toMatch(/^\S.*\.$/);
      expect(requirement.source, requirement.id).not.toBe('');
    }
  });

  test('knows every id that a test cites', () => {
    const unknown = [...citations]
      .filter(([id]) => !known.has(id))
      .map(([id, files]) => `${id} in ${files.join(', ')}`);
    expect(unknown).toEqual([]);
  });

  test('is proven by tests, except for what is listed as open', () => {
    const unproven = requirements.map(({ id }) => id).filter((id) => !citations.has(id) && !open.includes(id));
    expect(unproven).toEqual([]);
  });

  test('lists as open only known ids, once, that no test cites', () => {
    expect(open.filter((id) => !known.has(id))).toEqual([]);
    expect(open).toHaveLength(new Set(open).size);
    const proven = open.filter((id) => citations.has(id));
    expect(proven, 'run: node scripts/coverage-doc.mjs --update-open').toEqual([]);
  });
});

describe('citations', () => {
  test('are read from titles only, and not from skipped tests', () => {
    const source = [
      "test('adds [ABR-001] [TASK-ADD-TITLE]', () => {});",
      'test.each(table)(\n  `walks [SOP-001]`,\n  () => {});',
      "test.skip('later [SOP-002]', () => {});",
      "// test('gone [SOP-003]', () => {});",
      "const list = ['SOP-004', '[SOP-005]'];",
    ].join('\n');
    expect([...citedIn(source)]).toEqual(['ABR-001', 'TASK-ADD-TITLE', 'SOP-001']);
  });
});
