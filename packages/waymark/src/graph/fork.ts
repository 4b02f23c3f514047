import { ToolError, type User } from '../kit/index.ts';
import type { Graphs } from './open-graphs.ts';
import type { GraphDocument } from './model.ts';
import type { StartRun } from './runs.ts';

/**
 * What it takes to go on from a moment of a run with other data: the graph as it was then, and what
 * had happened so far.
 * @throws ToolError RUN_NOT_FOUND, GRAPH_NOT_FOUND, CANNOT_FORK
 */
export async function loadFork(
  { library, runs }: Graphs,
  run: string,
  seq: number,
  changes: Readonly<Record<string, unknown>>,
  user: User,
): Promise<Omit<StartRun, 'user'>> {
  const { run: details, source, events } = await runs.export(run, user);
  if (!events.some((event) => event.seq === seq)) {
    throw new ToolError('CANNOT_FORK', `The run has no event ${seq}; its last is ${events.at(-1)?.seq ?? 0}`);
  }
  const document = sameDocument(library.get(details.graph).document, details.graphHash) ?? older();
  const args = details.input as Record<string, unknown>;
  return { document, tool: details.tool, args, fork: { run, events, seq, changes } };

  function older(): GraphDocument {
    const result = library.load(details.graph, source);
    if (result.ok) return result.document;
    throw new ToolError('CANNOT_FORK', 'The graph as it was then can no longer be loaded');
  }
}

function sameDocument(document: GraphDocument | undefined, hash: string): GraphDocument | undefined {
  return document?.hash === hash ? document : undefined;
}
