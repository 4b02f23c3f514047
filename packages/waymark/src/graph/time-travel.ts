import type { RunEvent } from './events.ts';

/** The latest output of every node at the top of a graph: now, or just after an index of the history. */
export function contextAt(events: readonly RunEvent[], index?: number): Record<string, unknown> {
  const context = new Map<string, unknown>();
  for (const event of events) {
    if (event.type === 'value-changed' && event.path === '') context.set(event.node, event.value);
    if (event.type !== 'node-ended') continue;
    if (event.path === '') context.set(event.node, event.output);
    if (event.index === index) break;
  }
  return Object.fromEntries(context);
}
