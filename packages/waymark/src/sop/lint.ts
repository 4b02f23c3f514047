import type { Flowchart } from './flowchart/flowchart.ts';
import { leadingTo, passesOneOf, reachableFrom } from './graph-analysis.ts';
import type { Position, Problem, Sop, SopEdge } from './model.ts';
import { builtInTools } from './match-prompts.ts';
import type { ParsedSop, SopParts } from './parse-sop.ts';

/** Everything `sop check` has to say about a file: what keeps it from loading, and what is doubtful in it. */
export function lintSop({ sop, errors, warnings, parts }: ParsedSop): Problem[] {
  const found = [...errors, ...warnings];
  const add = (code: string, position: Position, message: string) =>
    found.push({ severity: 'warning', code, message, line: position.line, column: position.column });
  if (sop) {
    checkReach(sop, add);
    checkBranches(sop, add);
    checkWrites(sop, add);
    checkTools(sop, parts, add);
    if (parts.flowchart && parts.diagram) checkDrawing(parts.flowchart, parts, add);
    if (parts.frontmatter.agent === undefined)
      add('NO_AGENT_NAME', { line: 1, column: 1 }, 'The frontmatter names no agent');
  }
  return found.toSorted((left, right) => left.line - right.line || left.column - right.column);
}

type Add = (code: string, position: Position, message: string) => void;

/** Where a procedure can be entered: with literal navigation, also at every re-entry node. */
function rootsOf({ entry, reentry, navigation }: Sop): string[] {
  return navigation === 'spec' ? [entry, ...reentry] : [entry];
}

function checkReach(sop: Sop, add: Add): void {
  const reachable = reachableFrom(sop, rootsOf(sop));
  const finishing = leadingTo(sop, sop.terminalNodes);
  for (const { id, type, position } of sop.nodes.values()) {
    const exits = sop.edges.get(id)?.length ?? 0;
    if (!reachable.has(id)) add('UNREACHABLE_NODE', position, `${id} cannot be reached from ${sop.entry}`);
    else if (exits === 0 && type === 'rhombus') add('DEAD_END', position, `The decision ${id} has no way out`);
    else if (exits === 0 && type !== 'stadium') {
      add('DEAD_END', position, `${id} has no way out; draw it as ${id}([…]) if the procedure ends there`);
    } else if (!finishing.has(id)) add('NO_WAY_OUT', position, `From ${id} no terminal node can be reached`);
  }
}

const elseLabel = /^(?:else|otherwise|other|default|any|anything else|none|no|false|not\b.*|no\b.*)/i;
const yesLabel = /^(?:yes|true|y|ok)\b/i;
const comparison = /^(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+?)\??$/;
const opposites: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

function checkBranches(sop: Sop, add: Add): void {
  for (const { id, type, position } of sop.nodes.values()) {
    const exits = sop.edges.get(id) ?? [];
    const isDecision = type === 'rhombus';
    if (isDecision && exits.length === 1)
      add('DECISION_WITHOUT_ELSE', position, `The decision ${id} has only one way out`);
    if (exits.length < 2) continue;
    for (const edge of exits.filter((exit) => exit.condition === null)) {
      add('UNLABELLED_BRANCH', edge.position, `The branch from ${id} to ${edge.to} does not say when it is taken`);
    }
    checkLabels(id, exits, add);
    if (isDecision && !coversEverything(exits)) {
      add('DECISION_WITHOUT_ELSE', position, `The decision ${id} does not say what happens otherwise`);
    }
    if (!isDecision && type !== 'stadium') {
      add('BRANCH_WITHOUT_DECISION', position, `${id} has ${exits.length} ways out but is not drawn as a decision {…}`);
    }
  }
}

function checkLabels(id: string, exits: readonly SopEdge[], add: Add): void {
  const seen = new Map<string, SopEdge>();
  for (const edge of exits) {
    const label = edge.condition?.trim().toLowerCase();
    if (label === undefined) continue;
    const other = seen.get(label);
    if (other)
      add(
        'DUPLICATE_LABEL',
        edge.position,
        `${id} leads to ${other.to} and to ${edge.to} under the same label "${edge.condition}"`,
      );
    else seen.set(label, edge);
  }
}

/** Only labels that obviously leave something out are reported: a yes without a no, a comparison without its opposite. */
function coversEverything(exits: readonly SopEdge[]): boolean {
  const labels = exits.map(({ condition }) => condition?.trim() ?? '');
  if (labels.some((label) => label === '' || elseLabel.test(label))) return true;
  if (labels.some((label) => yesLabel.test(label))) return false;
  const comparisons = labels.map((label) => comparison.exec(label));
  if (comparisons.some((match) => match === null)) return true;
  return comparisons.some((match) =>
    comparisons.some(
      (other) => match?.[1] === other?.[1] && match?.[3] === other?.[3] && opposites[match?.[2] ?? ''] === other?.[2],
    ),
  );
}

const readTool =
  /^(?:get|find|list|search|lookup|look_up|read|fetch|check|calculate|count|show|view|query|think)(?:_|$)/i;

/** A node that changes something: one that uses a tool which is not plainly a read. */
export function isWriteNode(sop: Sop, id: string): boolean {
  const tools = sop.nodes.get(id)?.tools ?? [];
  return tools.some((tool) => !readTool.test(tool) && !builtInTools.has(tool) && !sop.alwaysAllowed.includes(tool));
}

function checkWrites(sop: Sop, add: Add): void {
  const ids = [...sop.nodes.keys()];
  const roots = rootsOf(sop);
  const reachable = reachableFrom(sop, roots);
  const writes = ids.filter((id) => reachable.has(id) && isWriteNode(sop, id));
  const authentication = new Set(
    ids.filter(
      (id) =>
        /^AUTH/i.test(id) ||
        /\b(?:authenticat|verify (?:the )?identity|log ?in)/i.test(sop.nodes.get(id)?.description ?? ''),
    ),
  );
  for (const id of authentication.size > 0 ? writes : []) {
    if (passesOneOf(sop, roots, id, authentication)) continue;
    const tools = sop.nodes.get(id)?.tools?.join(', ') ?? '';
    add(
      'WRITE_WITHOUT_AUTH',
      sop.nodes.get(id)?.position ?? { line: 1, column: 1 },
      `${id} (${tools}) can be reached without passing ${[...authentication].join(' or ')}`,
    );
  }
  const guarded = leadingTo(sop, writes);
  for (const [from, edges] of sop.edges) {
    if (sop.nodes.get(from)?.type !== 'rhombus' || !reachable.has(from)) continue;
    for (const { to } of edges) {
      if (sop.reentry.includes(to) || sop.terminalNodes.includes(to) || !guarded.has(to)) continue;
      if (sop.decisionNodes.includes(to) || passesOneOf(sop, roots, to, new Set([from]))) continue;
      const ahead = reachableFrom(sop, [to]);
      const write = writes.find((id) => ahead.has(id));
      const node = sop.nodes.get(to);
      if (node && write)
        add(
          'BYPASSED_CHECK',
          node.position,
          `${to} can be reached without passing ${from}${write === to ? '' : `, and leads to ${write}`}`,
        );
    }
  }
}

function checkTools(sop: Sop, { frontmatter, lines }: SopParts, add: Add): void {
  const used = new Set([...sop.nodes.values()].flatMap((node) => node.tools ?? []));
  const unused = (sop.tools ?? []).filter((tool) => !used.has(tool) && !sop.alwaysAllowed.includes(tool));
  if (unused.length === 0 || used.size === 0) return;
  add('UNUSED_TOOL', lines.at(frontmatter.offsetOf('tools')), `No node uses ${unused.join(', ')}`);
}

function checkDrawing(flowchart: Flowchart, { lines, diagram }: SopParts, add: Add): void {
  const at = (offset: number) => lines.at((diagram?.start ?? 0) + offset);
  for (const { from, to, head, stroke, mismatched, range } of flowchart.edges) {
    if (mismatched)
      add('MISMATCHED_LINK', at(range.start), `The two ends of the link from ${from} to ${to} contradict each other`);
    else if (head === 'none' && stroke !== 'invisible') {
      add(
        'OPEN_LINK',
        at(range.start),
        `The link from ${from} to ${to} has no arrow head; it can be taken only from ${from} to ${to}`,
      );
    }
  }
  for (const statement of flowchart.syntax.statements) {
    if (statement.kind !== 'style' && statement.kind !== 'class') continue;
    const unknown = statement.ids.filter(
      (id) => !flowchart.nodes.has(id) && !flowchart.groups.some((group) => group.id === id),
    );
    if (unknown.length > 0)
      add('UNKNOWN_STYLED_NODE', at(statement.range.start), `${unknown.join(', ')} is styled but not drawn`);
  }
}
