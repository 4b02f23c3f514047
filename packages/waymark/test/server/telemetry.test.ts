import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { post } from './office.test-helpers.ts';
import { startServe, temporaryDirectory } from '../cli/waymark.test-helpers.ts';

/** A collector that keeps every span it is sent. */
async function startCollector() {
  const spans: { name: string; traceId: string; parentSpanId?: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: typeof spans }[] }[] };
      spans.push(...resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans)));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  return { spans, endpoint: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test('every tool call is a span of the trace the client names', async () => {
  const collector = await startCollector();
  const { url, child, ended } = await startServe(['--toolsets', 'hnpx', '--data', await temporaryDirectory()], {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
  });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const response = await post(url, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'get_node',
      arguments: { file_path: 'nothing.xml', node_id: 'a1b2c3' },
      _meta: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    },
  });
  expect(response.status).toBe(200);
  await response.text();
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  collector.close();
  expect(collector.spans).toMatchObject([{ name: 'tools/call get_node', traceId, parentSpanId: 'b7ad6b7169203331' }]);
});
