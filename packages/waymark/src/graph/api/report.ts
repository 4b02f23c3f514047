import type { NodeRecord } from '../engine.ts';
import type { RunEvent } from '../events.ts';
import type { ExecutionTelemetry, LogEntry } from './types.ts';

/** Time and number of executions by node type. */
export function telemetryOf(history: readonly NodeRecord[], durationUs: number): ExecutionTelemetry {
  const nodeDurations = new Map<string, number>();
  const nodeCounts = new Map<string, number>();
  let errorCount = 0;
  for (const { nodeType, durationUs: own, error } of history) {
    nodeDurations.set(nodeType, (nodeDurations.get(nodeType) ?? 0) + own / 1000);
    nodeCounts.set(nodeType, (nodeCounts.get(nodeType) ?? 0) + 1);
    if (error) errorCount++;
  }
  return { totalDuration: durationUs / 1000, nodeDurations, nodeCounts, errorCount };
}

/** The events of one run as log lines. Payloads are not in them. */
export function logsOf(events: readonly RunEvent[]): LogEntry[] {
  return events.flatMap((event): LogEntry[] => {
    const timestamp = event.at;
    switch (event.type) {
      case 'run-started':
        return [{ level: 'info', message: `Run ${event.run} of ${event.tool} started`, timestamp }];
      case 'node-started':
        return [{ level: 'debug', message: `Executing ${event.nodeType} node: ${event.node}`, timestamp }];
      case 'node-retried':
        return [
          {
            level: 'warn',
            message: `Node ${event.node} failed: ${event.error.message}; again in ${event.delayMs} ms`,
            timestamp,
          },
        ];
      case 'node-ended':
        return event.error
          ? [{ level: 'error', message: `Node ${event.node} failed: ${event.error.message}`, timestamp }]
          : [{ level: 'debug', message: `Node ${event.node} took ${event.durationUs / 1000} ms`, timestamp }];
      case 'run-ended':
        return [{ level: 'info', message: `Run ${event.status} after ${event.durationUs / 1000} ms`, timestamp }];
      default:
        return [];
    }
  });
}
