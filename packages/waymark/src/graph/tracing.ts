import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import type { RunEvent } from './events.ts';

/** What follows a run and turns it into spans. */
export interface RunTrace {
  onEvent(event: RunEvent): void;
  /** The trace context that tool calls of the run carry in their `_meta`. */
  readonly meta: Readonly<Record<string, string>>;
}

/**
 * One span for the run, within whatever is being traced around it, and one for every node. Undefined
 * when nothing is recorded, so that runs without telemetry pay nothing for it.
 */
export function traceRun(graph: string, tool: string, run: string): RunTrace | undefined {
  const tracer = trace.getTracer('waymark-graph');
  const runSpan = tracer.startSpan(`graph ${tool}`, {
    attributes: { 'waymark.graph': graph, 'waymark.graph.tool': tool, 'waymark.run': run },
  });
  if (!runSpan.isRecording()) return undefined;
  const parent = trace.setSpan(context.active(), runSpan);
  const open = new Map<string, Span>();
  const { traceId, spanId, traceFlags } = runSpan.spanContext();

  const end = (span: Span, error: { code: string; message: string } | undefined, at: number) => {
    if (error) {
      span.setAttribute('error.type', error.code);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
    }
    span.end(at);
  };

  return {
    meta: { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` },
    onEvent(event) {
      switch (event.type) {
        case 'node-started': {
          const attributes = {
            'waymark.node': event.node,
            'waymark.node.type': event.nodeType,
            'waymark.node.path': event.path,
          };
          const options = { attributes, startTime: event.at };
          open.set(`${event.path} ${event.node}`, tracer.startSpan(`node ${event.node}`, options, parent));
          break;
        }
        case 'node-retried':
          open.get(`${event.path} ${event.node}`)?.addEvent('retry', { 'error.type': event.error.code }, event.at);
          break;
        case 'node-ended': {
          const key = `${event.path} ${event.node}`;
          const span = open.get(key);
          open.delete(key);
          if (span) end(span, event.error, event.at);
          break;
        }
        case 'run-ended':
          for (const span of open.values()) span.end(event.at);
          end(runSpan, event.error, event.at);
          break;
        default:
      }
    },
  };
}
