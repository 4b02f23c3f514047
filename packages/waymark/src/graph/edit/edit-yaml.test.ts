import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { CannotEditError, editYaml } from './edit-yaml.ts';

const source = `version: "1.0"

# Who we are
server:
  name: 'demo'      # shown to clients
  version: "1.0.0"

executionLimits:
  maxNodeExecutions: 1000      # Maximum (default: 1000)
  maxExecutionTimeMs:   300000

tools:
  # The first tool.
  - name: "count"
    description: "Counts"   # briefly
    nodes:
      - id: "entry"
        type: "entry"
        next: "sum"

      # Adds up
      - id: "sum"
        type: transform
        transform:
          expr: |
            $sum(
              $.entry.list
            )
        next: "exit"
      - { id: exit, type: exit }   # the end

  # The second tool.
  - name: other
    description: Something else
    nodes: []
`;

type Tool = { name: string; description: string; nodes: Record<string, unknown>[] } & Record<string, unknown>;
type File = { tools: Tool[] } & Record<string, unknown>;

function change(how: (file: File) => void, text = source): string {
  const file = parse(text) as File;
  how(file);
  const edited = editYaml(text, file);
  expect(parse(edited)).toEqual(file);
  return edited;
}

/** The lines that differ, as a small diff. */
function difference(before: string, after: string): string[] {
  const [left, right] = [before.split('\n'), after.split('\n')];
  const removed = left.filter((line) => !right.includes(line)).map((line) => `-${line}`);
  const added = right.filter((line) => !left.includes(line)).map((line) => `+${line}`);
  return [...removed, ...added];
}

describe('editing a YAML text', () => {
  test('leaves it alone when nothing changes', () => {
    expect(change(() => {})).toBe(source);
  });

  test('changes one scalar and nothing else', () => {
    const edited = change((file) => ((file.tools[0] as Tool).description = 'Counts all'));
    expect(difference(source, edited)).toEqual([
      '-    description: "Counts"   # briefly',
      '+    description: "Counts all"   # briefly',
    ]);
  });

  test('changes an expression in its block', () => {
    const edited = change((file) => {
      const [, sum] = (file.tools[0] as Tool).nodes;
      (sum as { transform: { expr: string } }).transform.expr = '$max(\n  $.entry.list\n)\n';
    });
    expect(difference(source, edited)).toEqual(['-            $sum(', '+            $max(']);
  });

  test('changes a flow map in place', () => {
    const edited = change((file) => ((file.tools[0] as Tool).nodes[2] = { id: 'exit', type: 'exit', title: 'End' }));
    expect(difference(source, edited)).toEqual([
      '-      - { id: exit, type: exit }   # the end',
      '+      - { id: exit, type: exit, title: End }   # the end',
    ]);
  });

  test('adds a tool at the end', () => {
    const edited = change((file) => file.tools.push({ name: 'new', description: 'Is new', nodes: [{ id: 'a' }] }));
    expect(edited.startsWith(source)).toBe(true);
    expect(edited.slice(source.length)).toBe(
      ['  - name: new', '    description: Is new', '    nodes:', '      - id: a', ''].join('\n'),
    );
  });

  test('adds a node between others, in order', () => {
    const edited = change((file) => (file.tools[0] as Tool).nodes.splice(1, 0, { id: 'log', type: 'mcp' }));
    expect(difference(source, edited)).toEqual(['+      - id: log', '+        type: mcp']);
    expect(edited).toContain('# Adds up\n      - id: "sum"');
  });

  test('removes a tool with the comment above it', () => {
    const edited = change((file) => file.tools.pop());
    expect(edited).not.toContain('The second tool');
    expect(edited).toContain('# The first tool.');
    expect(source.startsWith(edited.trimEnd())).toBe(true);
  });

  test('removes the first tool', () => {
    const edited = change((file) => file.tools.shift());
    expect(edited).toContain('# The second tool.\n  - name: other');
  });

  test('adds and removes keys', () => {
    const edited = change((file) => {
      const limits = file['executionLimits'] as Record<string, unknown>;
      delete limits['maxExecutionTimeMs'];
      limits['maxConcurrency'] = 4;
      (file.tools[1] as Tool)['title'] = 'Other';
    });
    expect(difference(source, edited)).toEqual([
      '-  maxExecutionTimeMs:   300000',
      '+  maxConcurrency: 4',
      '+    title: Other',
    ]);
  });

  test('gives an empty list its first items', () => {
    const edited = change((file) => ((file.tools[1] as Tool).nodes = [{ id: 'entry', type: 'entry' }]));
    expect(difference(source, edited)).toEqual(['-    nodes: []', '+      - id: entry', '+        type: entry']);
  });

  test('adds tools to a file that has none', () => {
    const edited = change(
      (file) => (file['tools'] = [{ name: 'a', description: 'b', nodes: [] }]),
      'version: "1.0" # v\n',
    );
    expect(edited).toBe('version: "1.0" # v\ntools:\n  - name: a\n    description: b\n    nodes: []\n');
  });

  test('keeps lists that are not indented so', () => {
    const text = 'tools:\n- name: a\n  description: x\n  nodes:\n  - id: one\n';
    const edited = change((file) => file.tools.push({ name: 'b', description: 'y', nodes: [{ id: 'two' }] }), text);
    expect(edited).toBe(`${text}- name: b\n  description: y\n  nodes:\n  - id: two\n`);
  });

  test('gives a key without a value one', () => {
    expect(change((file) => (file['a'] = 'x'), 'a:\nb: 1\n')).toBe('a: x\nb: 1\n');
    expect(change((file) => (file['a'] = { c: 1 }), 'a:\nb: 1\n')).toBe('a:\n  c: 1\nb: 1\n');
  });

  test('says so rather than break anchors', () => {
    const text = 'base: &base\n  a: 1\nother: *base\n';
    expect(() => editYaml(text, { base: { a: 2 }, other: { a: 1 } })).toThrow(CannotEditError);
  });

  test('always ends up saying what was wanted', () => {
    const key = fc.constantFrom('a', 'b', 'name', 'id', 'with space', '"quoted"', '- dash', '#x', 'true');
    const scalar = fc.oneof(
      fc.constantFrom(
        '',
        'x',
        'two words',
        ' lead',
        'a: b',
        '# no',
        'l1\nl2',
        'l1\n\n  l3\n',
        '\n',
        'yes',
        '12',
        '- a',
      ),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    const file = fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 });
    fc.assert(
      fc.property(file, file, fc.boolean(), fc.boolean(), (before, after, indentSeq, flow) => {
        const text = stringify(before, { indentSeq, ...(flow ? { collectionStyle: 'flow' } : {}) });
        const edited = editYaml(text, after);
        expect(parse(edited)).toEqual(JSON.parse(JSON.stringify(after)));
      }),
      { numRuns: process.env['WAYMARK_FULL'] ? 20_000 : 1000 },
    );
  });
});
