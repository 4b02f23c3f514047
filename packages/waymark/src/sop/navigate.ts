import { nearest } from '../kit/nearest.ts';
import type { ConversationEvent, MoveKind, RefusalReason, Walk } from './conversation.ts';
import type { FactValue, Navigation, Requirement, Sop } from './model.ts';
import { unmet } from './requirements.ts';

export interface Position {
  readonly sop: Sop;
  readonly walk: Pick<Walk, 'path' | 'unlocked'>;
  readonly facts: ReadonlyMap<string, FactValue>;
  readonly navigation: Navigation;
}

export interface AllowedMove {
  readonly allowed: true;
  readonly event: ConversationEvent & { type: 'moved' };
}

export interface RefusedMove {
  readonly allowed: false;
  readonly event: ConversationEvent & { type: 'refused' };
  readonly error: string;
  readonly validNext: readonly string[];
  /** The moves that would lead there, one after the other. */
  readonly route?: readonly string[];
  readonly suggestion?: string;
  readonly missing?: readonly Requirement[];
}

const listedNodes = 50;

/** Decides a move. Nothing is changed: the event it returns, once applied, makes the move. */
export function planMove(position: Position, wanted: string): AllowedMove | RefusedMove {
  const { sop, walk } = position;
  const target = nodeNamed(sop, wanted);
  const current = walk.path.at(-1) ?? null;
  if (target === undefined) return unknownNode(position, wanted.trim(), current);
  const kind = kindOfMove(position, current, target);
  if (typeof kind !== 'string') return refusal(position, current, target, kind.reason);
  const missing = missingFacts(position, current, target, kind);
  if (missing.length > 0) return { ...refusal(position, current, target, 'missing-facts'), missing };
  const complete = sop.terminalNodes.includes(target);
  const unlocks = sop.reentry.includes(target);
  return { allowed: true, event: { type: 'moved', from: current, to: target, by: kind, complete, unlocks } };
}

/** The id as the flowchart has it. `START` stands for the entry node where no node is called so. */
function nodeNamed(sop: Sop, wanted: string): string | undefined {
  const id = wanted.trim();
  if (sop.nodes.has(id)) return id;
  return id === 'START' ? sop.entry : undefined;
}

function kindOfMove(
  { sop, walk, navigation }: Position,
  current: string | null,
  target: string,
): MoveKind | { reason: RefusalReason } {
  if (target === sop.entry) return current === target && walk.path.length === 1 ? 'repeat' : 'entry';
  const byEdge = current !== null && sop.edges.get(current)?.some((edge) => edge.to === target);
  if (byEdge) return 'edge';
  if (target === current) return 'repeat';
  if (sop.reentry.includes(target)) {
    if (navigation === 'spec' || walk.unlocked.has(target)) return 'reentry';
    return { reason: current === null ? 'not-started' : 'locked' };
  }
  return { reason: current === null ? 'not-started' : 'no-edge' };
}

function missingFacts({ sop, facts }: Position, current: string | null, target: string, kind: MoveKind): Requirement[] {
  if (kind === 'repeat') return [];
  const entering = unmet(sop.nodes.get(target)?.requires, facts);
  if (kind !== 'edge' || current === null) return entering;
  const edges = (sop.edges.get(current) ?? []).filter((edge) => edge.to === target);
  return [...entering, ...unmet(edges[0]?.requires, facts)];
}

/** Where one may go next: along an edge, or where there is none, back to a re-entry node or the entry. */
export function nextNodes({ sop, walk, navigation }: Position): string[] {
  const current = walk.path.at(-1);
  if (current === undefined) return [sop.entry];
  const targets = [...new Set((sop.edges.get(current) ?? []).map((edge) => edge.to))];
  if (targets.length > 0) return targets;
  const reopened = sop.reentry.filter((id) => id !== current && (navigation === 'spec' || walk.unlocked.has(id)));
  return [...new Set([...reopened, sop.entry])];
}

function refusal(position: Position, current: string | null, target: string, reason: RefusalReason): RefusedMove {
  const validNext = nextNodes(position);
  const route = reason === 'missing-facts' ? undefined : routeTo(position, target);
  return {
    allowed: false,
    event: { type: 'refused', from: current, to: target, reason },
    error: errorText(position, current, target, reason),
    validNext,
    ...(route ? { route } : {}),
  };
}

function errorText({ sop }: Position, current: string | null, target: string, reason: RefusalReason): string {
  if (current === null) return `Cannot reach ${target} before ${sop.entry}: the first move must be to ${sop.entry}`;
  if (reason === 'locked')
    return `Cannot reach ${target} from ${current}: ${target} opens once it was reached along its edges`;
  if (reason === 'missing-facts') return `Cannot enter ${target} from ${current} yet: facts are missing`;
  return `Cannot reach ${target} from ${current}`;
}

function unknownNode(position: Position, wanted: string, current: string | null): RefusedMove {
  const ids = [...position.sop.nodes.keys()];
  const listed = ids.slice(0, listedNodes).join(', ');
  const more = ids.length > listedNodes ? `, … (${ids.length - listedNodes} more)` : '';
  const suggestion = nearest(wanted, ids);
  return {
    allowed: false,
    event: { type: 'refused', from: current, to: wanted, reason: 'unknown-node' },
    error: `Node not found. Valid nodes: [${listed}${more}]`,
    validNext: nextNodes(position),
    ...(suggestion ? { suggestion } : {}),
  };
}

/** The fewest moves from here to a node, or undefined where no moves lead there. */
export function routeTo({ sop, walk, navigation }: Position, target: string): string[] | undefined {
  const current = walk.path.at(-1);
  const previous = new Map<string, string | undefined>();
  let frontier: string[] = [];
  const visit = (id: string, from: string | undefined) => {
    if (previous.has(id)) return;
    previous.set(id, from);
    frontier.push(id);
  };
  for (const edge of current === undefined ? [] : (sop.edges.get(current) ?? [])) visit(edge.to, undefined);
  for (const id of sop.reentry) if (navigation === 'spec' || walk.unlocked.has(id)) visit(id, undefined);
  visit(sop.entry, undefined);
  while (frontier.length > 0 && !previous.has(target)) {
    const wave = frontier;
    frontier = [];
    for (const id of wave) for (const edge of sop.edges.get(id) ?? []) visit(edge.to, id);
  }
  if (!previous.has(target)) return undefined;
  const route: string[] = [];
  for (let id: string | undefined = target; id !== undefined; id = previous.get(id)) route.unshift(id);
  return route;
}
