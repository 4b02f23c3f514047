import type { ConversationRecord } from './conversation.ts';
import type { Sop, SopEdge } from './model.ts';

/** How much of a procedure was walked. */
export interface Coverage {
  readonly conversations: number;
  readonly moves: number;
  readonly refusals: number;
  readonly nodes: { readonly visited: number; readonly total: number; readonly missed: readonly string[] };
  readonly edges: { readonly visited: number; readonly total: number; readonly missed: readonly string[] };
  readonly visits: Readonly<Record<string, number>>;
}

/** Gathers coverage of one SOP from any number of walks. */
export class CoverageCounter {
  readonly #sop: Sop;
  readonly #nodes = new Map<string, number>();
  readonly #edges = new Set<string>();
  #conversations = 0;
  #moves = 0;
  #refusals = 0;

  constructor(sop: Sop) {
    this.#sop = sop;
  }

  /** Counts what a recorded conversation did in this agent's procedure. */
  addConversation(records: readonly ConversationRecord[]): void {
    let isCurrent = false;
    let counted = false;
    for (const record of records) {
      if (record.type === 'loaded') isCurrent = record.agent === this.#sop.agent;
      if (!isCurrent) continue;
      if (record.type === 'moved') this.addMove(record.from, record.to, record.by === 'edge');
      if (record.type === 'refused') this.#refusals++;
      counted ||= record.type === 'moved';
    }
    if (counted) this.#conversations++;
  }

  addMove(from: string | null, to: string, alongEdge: boolean): void {
    if (!this.#sop.nodes.has(to)) return;
    this.#moves++;
    this.#nodes.set(to, (this.#nodes.get(to) ?? 0) + 1);
    if (alongEdge && from !== null) this.#edges.add(edgeKey(from, to));
  }

  addRefusal(): void {
    this.#refusals++;
  }

  result(): Coverage {
    const ids = [...this.#sop.nodes.keys()];
    const edges = uniqueEdges([...this.#sop.edges.values()].flat());
    const missedNodes = ids.filter((id) => !this.#nodes.has(id));
    const missedEdges = edges.filter((edge) => !this.#edges.has(edge));
    return {
      conversations: this.#conversations,
      moves: this.#moves,
      refusals: this.#refusals,
      nodes: { visited: ids.length - missedNodes.length, total: ids.length, missed: missedNodes },
      edges: { visited: edges.length - missedEdges.length, total: edges.length, missed: missedEdges },
      visits: Object.fromEntries(ids.map((id) => [id, this.#nodes.get(id) ?? 0])),
    };
  }
}

/** Two edges to the same node cannot be told apart by a move, so they count as one. */
function uniqueEdges(edges: readonly SopEdge[]): string[] {
  return [...new Set(edges.map(({ from, to }) => edgeKey(from, to)))];
}

function edgeKey(from: string, to: string): string {
  return `${from} → ${to}`;
}

/** `36/40 (90 %)` */
export function ratio({ visited, total }: { readonly visited: number; readonly total: number }): string {
  const percent = total === 0 ? 100 : Math.floor((visited / total) * 100);
  return `${visited}/${total} (${percent} %)`;
}
