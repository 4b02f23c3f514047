import { applyEdits, type TextEdit } from './flowchart/edit.ts';
import { parseSop, type ParsedSop } from './parse-sop.ts';

export interface FixedSop {
  readonly source: string;
  /** What was done, one line each. */
  readonly changes: readonly string[];
}

interface Fix {
  readonly edits: readonly TextEdit[];
  readonly change: string;
}

const rounds = 100;

/**
 * Repairs what can be repaired without guessing: `end` as a node id, a comment behind a statement, a
 * blank before a shape, links without a head, and edges drawn twice on lines of their own.
 */
export function fixSop(source: string): FixedSop {
  const changes: string[] = [];
  let current = source;
  // One repair at a time: each moves the positions of what follows.
  for (let round = 0; round < rounds; round++) {
    const fix = nextFix(parseSop(current));
    if (!fix) break;
    current = applyEdits(current, fix.edits);
    changes.push(fix.change);
  }
  return { source: current, changes };
}

function nextFix({ parts }: ParsedSop): Fix | undefined {
  const { flowchart, diagram, source, lines } = parts;
  if (!flowchart || !diagram) return undefined;
  const where = (offset: number) => `line ${lines.at(offset).line}`;
  for (const problem of flowchart.problems) {
    const offset = diagram.start + problem.offset;
    if (problem.code === 'RESERVED_ID' && /^end\b/.test(source.slice(offset))) {
      const edits = [{ start: offset, end: offset + 3, text: 'End' }];
      return { edits, change: `${where(offset)}: renamed the node "end" to "End"` };
    }
    if (problem.code === 'TRAILING_COMMENT') return moveComment(source, offset, where(offset));
    if (problem.code === 'BLANK_BEFORE_SHAPE') {
      const start = offset - (/[ \t]+$/.exec(source.slice(0, offset))?.[0].length ?? 0);
      return {
        edits: [{ start, end: offset, text: '' }],
        change: `${where(offset)}: removed the blank before the shape`,
      };
    }
  }
  if (flowchart.problems.length > 0) return undefined;
  const open = flowchart.edges.find((edge) => edge.head === 'none' && edge.stroke !== 'invisible' && !edge.mismatched);
  if (open) {
    const start = diagram.start + open.range.start;
    const text = source.slice(start, diagram.start + open.range.end);
    const headed = text.replace(/(--|==|\.-)([-=]?)(?=\||$)/, (_match, line: string) =>
      line === '.-' ? '.->' : `${line}>`,
    );
    if (headed === text) return undefined;
    const edits = [{ start, end: start + text.length, text: headed }];
    return { edits, change: `${where(start)}: gave the link from ${open.from} to ${open.to} an arrow head` };
  }
  return undefined;
}

function moveComment(source: string, offset: number, where: string): Fix {
  const lineStart = source.lastIndexOf('\n', offset - 1) + 1;
  const newline = source.indexOf('\n', offset);
  const lineEnd = newline < 0 ? source.length : newline;
  const indent = /^[ \t]*/.exec(source.slice(lineStart))?.[0] ?? '';
  const comment = source.slice(offset, lineEnd).trimEnd();
  const blanks = /[ \t]*$/.exec(source.slice(lineStart, offset))?.[0].length ?? 0;
  const edits = [
    { start: lineStart, end: lineStart, text: `${indent}${comment}\n` },
    { start: offset - blanks, end: offset + comment.length, text: '' },
  ];
  return { edits, change: `${where}: moved the comment to a line of its own` };
}
