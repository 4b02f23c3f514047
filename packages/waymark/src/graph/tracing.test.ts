import { context, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { User } from '../kit/index.ts';
import { fakeCaller, load, oneTool } from './graph.test-helpers.ts';
import { createInlineEngine } from './inline/engine.ts';
import { createGraphRuns } from './runs.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const user: User = { id: 'local', scopes: 'all' };

beforeAll(() => provider.register());
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  context.disable();
});

const document = load(
  oneTool(
    `      - { id: entry, type: entry, next: call }
      - { id: call, type: mcp, server: other, tool: work, args: {}, next: double }
      - { id: double, type: transform, transform: { expr: "$.call.n * 2" }, next: exit }
      - { id: exit, type: exit }`,
    'mcpServers: { other: { command: none } }',
  ),
);

describe('a traced run', () => {
  test('is a span with one span for every node, within the trace around it [GRAPH-040]', async () => {
    exporter.reset();
    const caller = fakeCaller({ work: () => ({ n: 21 }) });
    const runs = createGraphRuns({ engine: createInlineEngine({ caller }) });
    const outer = trace.getTracer('test').startSpan('outer');
    const handle = await context.with(trace.setSpan(context.active(), outer), () =>
      runs.start({ document, tool: 't', args: {}, user }),
    );
    expect(await handle.outcome).toMatchObject({ result: 42 });
    outer.end();

    const spans = exporter.getFinishedSpans();
    const named = (name: string) => spans.find((span) => span.name === name);
    const run = named('graph t');
    expect(run?.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
    expect(run?.attributes).toMatchObject({ 'waymark.graph': 'test', 'waymark.run': handle.id });
    for (const node of ['entry', 'call', 'double', 'exit']) {
      expect(named(`node ${node}`)?.parentSpanContext?.spanId, node).toBe(run?.spanContext().spanId);
    }
    expect(named('node call')?.attributes['waymark.node.type']).toBe('mcp');
    const { traceId, spanId } = run?.spanContext() ?? { traceId: '', spanId: '' };
    expect(caller.calls[0]?.options.meta).toMatchObject({ traceparent: `00-${traceId}-${spanId}-01` });
    await runs.close();
  });

  test('says on its spans what failed', async () => {
    exporter.reset();
    const caller = fakeCaller({ work: () => ({ content: [{ type: 'text', text: 'no' }], isError: true }) });
    const runs = createGraphRuns({ engine: createInlineEngine({ caller }) });
    const handle = await runs.start({ document, tool: 't', args: {}, user });
    await handle.outcome;
    const failed = exporter.getFinishedSpans().filter(({ attributes }) => attributes['error.type'] === 'TOOL_ERROR');
    expect(failed.map(({ name }) => name).toSorted()).toEqual(['graph t', 'node call']);
    await runs.close();
  });
});
