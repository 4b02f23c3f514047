import type { Host } from '../kit/index.ts';

export interface Telemetry {
  readonly aroundCall: Host['aroundCall'];
  close(): Promise<void>;
}

/**
 * Spans for every tool call, sent by OTLP. Off, and nothing of it loaded, unless the environment
 * names a collector. Exporter and batching follow the standard `OTEL_*` variables.
 */
export async function startTelemetry(environment: NodeJS.ProcessEnv, version: string): Promise<Telemetry | undefined> {
  const endpoint = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (!endpoint || environment['OTEL_SDK_DISABLED'] === 'true') return undefined;
  const [api, { BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': environment['OTEL_SERVICE_NAME'] ?? 'waymark',
      'service.version': version,
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  const tracer = api.trace.getTracer('waymark', version);

  return {
    aroundCall({ toolset, tool }, context, next) {
      const parent = api.propagation.extract(api.context.active(), context.meta);
      const attributes = {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': tool.name,
        'waymark.toolset': toolset.name,
      };
      const options = { kind: api.SpanKind.SERVER, attributes };
      return tracer.startActiveSpan(`tools/call ${tool.name}`, options, parent, async (span) => {
        try {
          const result = await next(context);
          if ('isError' in result && result.isError) span.setStatus({ code: api.SpanStatusCode.ERROR });
          return result;
        } finally {
          span.end();
        }
      });
    },
    close: () => provider.shutdown(),
  };
}
