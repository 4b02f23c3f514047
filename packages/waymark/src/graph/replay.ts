import { isDeepStrictEqual } from 'node:util';
import type { GraphEngine, NodeRecord } from './engine.ts';
import type { RunEvent, RunStarted } from './events.ts';
import { historyOf } from './interpreter/fold.ts';
import type { GraphDocument } from './model.ts';

/** Where a run and its replay part. */
export interface Difference {
  readonly node: string;
  readonly path: string;
  /** Which execution of the node at that place, from 0. */
  readonly execution: number;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

export interface ReplayResult {
  readonly ok: boolean;
  readonly differences: readonly Difference[];
}

/**
 * Runs a recorded run again on a graph as it is now, with the recorded answers of servers and people,
 * and compares every output. Nothing outside is touched.
 */
export async function replayRun(
  engine: GraphEngine,
  document: GraphDocument,
  events: readonly RunEvent[],
): Promise<ReplayResult> {
  const started = events.find((event): event is RunStarted => event.type === 'run-started');
  const tool = started && document.tools.get(started.tool);
  if (!started || !tool) {
    const recorded = started ? `tool ${started.tool}` : 'a recorded run';
    return { ok: false, differences: [{ node: '', path: '', execution: 0, recorded, replayed: undefined }] };
  }
  const handle = engine.start({ document, tool: tool.name, args: started.input, replay: events });
  const outcome = await handle.outcome;
  const differences = compareHistories(historyOf(document, tool, events), handle.view().history);
  const ended = events.findLast((event) => event.type === 'run-ended');
  if (ended && ended.status !== outcome.status) {
    const replayed = outcome.status === 'succeeded' ? outcome.status : `${outcome.status}: ${outcome.error.message}`;
    differences.push({ node: '', path: '', execution: 0, recorded: ended.status, replayed });
  }
  return { ok: differences.length === 0, differences };
}

/** Branches may end in another order, so executions are compared place by place. */
function compareHistories(recorded: readonly NodeRecord[], replayed: readonly NodeRecord[]): Difference[] {
  const before = groupByPlace(recorded);
  const now = groupByPlace(replayed);
  const differences: Difference[] = [];
  for (const place of new Set([...before.keys(), ...now.keys()])) {
    const left = before.get(place) ?? [];
    const right = now.get(place) ?? [];
    for (let execution = 0; execution < Math.max(left.length, right.length); execution++) {
      const first = left[execution];
      const second = right[execution];
      const known = first ?? second;
      if (!known || (first && second && isSame(first, second))) continue;
      const { node, path } = known;
      differences.push({ node, path, execution, recorded: shown(first), replayed: shown(second) });
    }
  }
  return differences;
}

function groupByPlace(history: readonly NodeRecord[]): Map<string, NodeRecord[]> {
  const groups = new Map<string, NodeRecord[]>();
  for (const record of history) {
    const place = `${record.path} ${record.node}`;
    const group = groups.get(place);
    if (group) group.push(record);
    else groups.set(place, [record]);
  }
  return groups;
}

function isSame(first: NodeRecord, second: NodeRecord): boolean {
  if (first.nodeType === 'wait' && second.nodeType === 'wait') return true;
  return first.error?.code === second.error?.code && isDeepStrictEqual(asJson(first.output), asJson(second.output));
}

/** A recording has been through JSON. */
function asJson(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}

function shown(record: NodeRecord | undefined): unknown {
  if (!record) return 'not executed';
  return record.error ? `failed: ${record.error.message}` : record.output;
}
