import type { RunEvent } from '../events.ts';

/** The largest output that is shown whole; an agent that builds a graph needs the shape, not the bulk. */
const maxShown = 20_000;

/** One finished execution of a node, in the words of the programmatic API. */
export type ShownExecution = {
  readonly executionIndex: number;
  readonly nodeId: string;
  readonly nodeType: string;
  readonly path?: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly duration: number;
  readonly output: unknown;
  readonly error?: unknown;
};

export type LogLine = {
  readonly level: 'debug' | 'info' | 'error';
  readonly message: string;
  readonly timestamp: string;
};

export function historyIn(events: readonly RunEvent[]): ShownExecution[] {
  return events.flatMap((event) => {
    if (event.type !== 'node-ended') return [];
    const duration = event.durationUs / 1000;
    return [
      {
        executionIndex: event.index,
        nodeId: event.node,
        nodeType: event.nodeType,
        ...(event.path ? { path: event.path } : {}),
        startTime: event.at - Math.round(duration),
        endTime: event.at,
        duration,
        output: shorten(event.output),
        ...(event.error ? { error: event.error } : {}),
      },
    ];
  });
}

export function logOf(events: readonly RunEvent[]): LogLine[] {
  return events.flatMap((event) => {
    const line = describe(event);
    return line ? [{ ...line, timestamp: new Date(event.at).toISOString() }] : [];
  });
}

function describe(event: RunEvent): Omit<LogLine, 'timestamp'> | undefined {
  switch (event.type) {
    case 'run-started':
      return { level: 'info', message: `Run of "${event.tool}" started` };
    case 'node-started':
      return { level: 'debug', message: `Node "${event.node}" (${event.nodeType}) started` };
    case 'node-retried':
      return { level: 'info', message: `Node "${event.node}" is tried again: ${event.error.message}` };
    case 'node-ended':
      return event.error
        ? { level: 'error', message: `Node "${event.node}" failed: ${event.error.message}` }
        : { level: 'debug', message: `Node "${event.node}" ended after ${event.durationUs / 1000} ms` };
    case 'run-ended':
      return { level: event.status === 'succeeded' ? 'info' : 'error', message: `Run ${event.status}` };
    default:
      return undefined;
  }
}

/** A value, or the beginning of it where it is long. */
export function shorten(value: unknown): unknown {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length <= maxShown ? value : { truncated: true, length: text.length, beginning: text.slice(0, 2000) };
}
