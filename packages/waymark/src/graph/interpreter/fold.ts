import type { NodeRecord } from '../engine.ts';
import type { RunEvent } from '../events.ts';
import type { GraphDocument, GraphTool } from '../model.ts';
import { apply } from './apply.ts';
import { createState, type RunState } from './state.ts';

/** The state after a list of events. */
export function fold(document: GraphDocument, tool: GraphTool, events: Iterable<RunEvent>): RunState {
  let state = createState(document, tool);
  for (const event of events) state = apply(state, event);
  return state;
}

/** The events up to and with the end of the execution at an index of the history. */
export function eventsUpTo(events: readonly RunEvent[], index: number): readonly RunEvent[] {
  const end = events.findIndex((event) => event.type === 'node-ended' && event.index === index);
  return end < 0 ? events : events.slice(0, end + 1);
}

/** What a run looked like just after one of its executions: time travel. */
export function stateAt(
  document: GraphDocument,
  tool: GraphTool,
  events: readonly RunEvent[],
  index: number,
): RunState {
  return fold(document, tool, eventsUpTo(events, index));
}

/** The finished executions of recorded events. */
export function historyOf(
  document: GraphDocument,
  tool: GraphTool,
  events: readonly RunEvent[],
): readonly NodeRecord[] {
  return fold(document, tool, events).history;
}
