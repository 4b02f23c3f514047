import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lintSop } from './lint.ts';
import { parseSop } from './parse-sop.ts';
import { readExample, sopWith } from './sop.test-helpers.ts';

const retail = await readExample('retail.md');

describe('no text breaks the parser', () => {
  test('whatever it is made of', () => {
    const pieces = fc.constantFrom(
      '---\n',
      '```',
      '```mermaid\n',
      '```yaml\n',
      '~~~\n',
      '## ',
      '### A\n',
      '\n',
      '\r\n',
      ' ',
      '\t',
      '%%',
      '%%{',
      '}%%',
      '"',
      '`',

      'flowchart TD\n',
      'subgraph ',
      'end',
      'A',
      'B --> C',
      '-->|',
      '|',
      '[',
      ']',
      '(',
      ')',
      '{',
      '}',
      '@{',
      '&',
      ';',
      ':::',
      '#',
      '~~~',
      '==',
      '-.',

      'Node Prompts\n',
      'SOP Flowchart\n',
      'agent: x\n',
      'tools: [',
      '- ',
      ': ',
      '*a',
      '&a ',
      '!!x ',
      '\0',
      '\uFEFF',
      '\ud800',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const source = parts.join('');
        const parsed = parseSop(source);
        expect(parsed.sop !== undefined).toBe(parsed.errors.length === 0);
        lintSop(parsed);
      }),
      { numRuns: process.env['WAYMARK_FULL'] === '1' ? 50_000 : 1500 },
    );
  });

  test('nor does a good file with a piece missing, doubled or moved', () => {
    fc.assert(
      fc.property(fc.nat(retail.length), fc.nat(300), fc.nat(retail.length), (from, length, to) => {
        const piece = retail.slice(from, from + length);
        const rest = retail.slice(0, from) + retail.slice(from + length);
        for (const source of [
          rest,
          rest.slice(0, to) + piece + rest.slice(to),
          retail.slice(0, to) + piece + retail.slice(to),
        ]) {
          const parsed = parseSop(source);
          expect(parsed.sop !== undefined).toBe(parsed.errors.length === 0);
          for (const { line } of lintSop(parsed)) expect(line).toBeLessThanOrEqual(source.split('\n').length);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('no text keeps the parser busy', () => {
  const mermaid = (body: string) => sopWith(`flowchart TD\n${body}`);
  const lines = (line: string) => `${line}\n`.repeat(Math.floor(190_000 / (line.length + 1)));
  test.each([
    ['blank lines', mermaid('\n'.repeat(190_000))],
    ['blanks', mermaid(lines(' '.repeat(4000)))],
    ['comments after blank lines', mermaid('\n'.repeat(190_000) + '%% x')],
    ['directives that never end', mermaid(lines('%%{%%{%%{%%{'))],
    ['labels that never end', mermaid(lines('A>x'))],
    ['brackets that never end', mermaid(lines('A['))],
    ['quotes that never end', mermaid(lines('A["x'))],
    ['tags that never end', mermaid(lines('A[<a<a<a ="x"'))],
    ['braces', mermaid(lines('A{x}   }   }   '))],
    ['words that look like directions', mermaid(lines('a b c d direction e f direction'))],
    ['words that look like edge ids', mermaid(lines('a.a.a.a.a.a.a.a@{'))],
    ['colours', mermaid(lines('style:::::::::::::::::::::#####'))],
    ['colons', mermaid(lines(`style${':'.repeat(4000)}`))],
    ['subgraphs in subgraphs', mermaid(lines('subgraph a'))],
    ['crosswise edges', mermaid(`${'a & '.repeat(1000)}a --> ${'b & '.repeat(1000)}b`)],
    ['one long line', mermaid('A --> '.repeat(30_000))],
    ['headings', '#\n'.repeat(900_000)],
    ['headings of blanks', `# ${' '.repeat(1_900_000)}x`],
    ['code blocks', '```\n```\n'.repeat(200_000)],
    ['a yaml block that never ends', `---\n${'\n'.repeat(1_900_000)}`],
    ['yaml in yaml', sopWith('flowchart TD\n A', { frontmatter: `a: ${'['.repeat(100_000)}` })],
    ['prompts', sopWith('flowchart TD\n A', { prompts: '### A\n```yaml\na: b\n```\n'.repeat(2000) })],
  ])('%s', { timeout: 30_000 }, (_name, source) => {
    // Whatever takes more than time in proportion runs into the time limit.
    const parsed = parseSop(source);
    lintSop(parsed);
    expect(parsed.sop !== undefined).toBe(parsed.errors.length === 0);
  });
});

test('a subgraph that contains itself is no endless loop', () => {
  expect(parseSop(sopWith('flowchart TD\n S --> a\n subgraph a\n a --> b\n end')).sop?.edges.get('S')).toMatchObject([
    { to: 'b' },
  ]);
  expect(parseSop(sopWith('flowchart TD\n S --> a\n subgraph a\n a\n end')).errors).toHaveLength(1);
});
