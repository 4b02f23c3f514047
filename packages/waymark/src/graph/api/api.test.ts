import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { McpGraphApi, ToolCallMcpError } from '../index.ts';
import type { ExecutionHooks } from './types.ts';

const routes = `version: "1.0"
server:
  name: routes
  version: "2.0.0"
  instructions: Ask for a route.
# the only tool
tools:
  - name: route
    description: Picks a way
    inputSchema: { type: object, properties: { value: { type: number, minimum: -100 } }, required: [value] }
    outputSchema: { type: object, properties: { result: { type: string } } }
    nodes:
      - { id: entry, type: entry, next: pick }
      - id: pick
        type: switch
        conditions:
          - { rule: { ">": [{ var: entry.value }, 10] }, target: high }   # high first
          - { target: low }
      - { id: high, type: transform, transform: { expr: '{ "result": "high" }' }, next: exit }
      - { id: low, type: transform, transform: { expr: '{ "result": "low", "of": $.entry.value }' }, next: exit }
      - { id: exit, type: exit }
`;

let directory = '';
let file = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'waymark-api-'));
  file = join(directory, 'routes.yaml');
  writeFileSync(file, routes);
});
afterAll(() => rmSync(directory, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

describe('McpGraphApi', () => {
  test('loads a graph, tells about it and lists its tools [GRAPH-071] [GRAPH-009] [GRAPH-010]', async () => {
    const api = new McpGraphApi(file);
    expect(api.getServerInfo()).toEqual({
      name: 'routes',
      version: '2.0.0',
      title: 'routes',
      instructions: 'Ask for a route.',
    });
    expect(api.listTools()).toMatchObject([
      {
        name: 'route',
        description: 'Picks a way',
        inputSchema: { required: ['value'] },
        outputSchema: { type: 'object' },
      },
    ]);
    expect(api.getTool('nothing')).toBeUndefined();
    expect(api.getConfig().tools[0]?.name).toBe('route');
    expect(api.getGraph()).toBeNull();
    await api.close();
  });

  test('runs a tool and gives result, history and telemetry [GRAPH-071]', async () => {
    const api = new McpGraphApi(file);
    const { promise, controller } = api.executeTool(
      'route',
      { value: 5 },
      { enableTelemetry: true, enableLogging: true },
    );
    expect(controller).toBeNull();
    const { result, structuredContent, executionHistory, telemetry, logs } = await promise;
    expect(result).toEqual({ result: 'low', of: 5 });
    expect(structuredContent).toEqual(result);
    expect(executionHistory.map(({ executionIndex, nodeId }) => `${executionIndex} ${nodeId}`)).toEqual([
      '0 entry',
      '1 pick',
      '2 low',
      '3 exit',
    ]);
    expect(executionHistory[1]).toMatchObject({
      nodeType: 'switch',
      output: 'low',
      startTime: expect.any(Number),
      duration: expect.any(Number),
    });
    expect(telemetry?.nodeCounts).toEqual(
      new Map([
        ['entry', 1],
        ['switch', 1],
        ['transform', 1],
        ['exit', 1],
      ]),
    );
    expect(telemetry?.errorCount).toBe(0);
    expect(logs?.length).toBeGreaterThan(3);
    await api.close();
  });

  test('many runs at once each get their own result', async () => {
    const api = new McpGraphApi(file);
    const values = Array.from({ length: 50 }, (_, index) => index);
    const results = await Promise.all(
      values.map((value) => api.executeTool('route', { value }, { hooks: { onNodeStart: () => true } }).promise),
    );
    expect(results.map(({ result }) => (result as { result: string }).result)).toEqual(
      values.map((value) => (value > 10 ? 'high' : 'low')),
    );
    await api.close();
  });

  test('calls hooks in order, with the index of the history', async () => {
    const api = new McpGraphApi(file);
    const seen: string[] = [];
    const hooks: ExecutionHooks = {
      onNodeStart: async (index, id, node) => {
        seen.push(`start ${index} ${id} ${node.type}`);
        return true;
      },
      onNodeComplete: async (index, id, _node, input, output) => {
        seen.push(`done ${index} ${id} ${Object.keys(input as object).join(',')} ${JSON.stringify(output)}`);
      },
    };
    await api.executeTool('route', { value: 50 }, { hooks }).promise;
    expect(seen).toEqual([
      'start 0 entry entry',
      'done 0 entry  {"value":50}',
      'start 1 pick switch',
      'done 1 pick entry "high"',
      'start 2 high transform',
      'done 2 high entry,pick {"result":"high"}',
      'start 3 exit exit',
      'done 3 exit entry,pick,high {"result":"high"}',
    ]);
    await api.close();
  });

  test('pauses at breakpoints before the node starts, and steps [GRAPH-078]', async () => {
    const api = new McpGraphApi(file);
    const seen: string[] = [];
    const { promise, controller } = api.executeTool(
      'route',
      { value: 5 },
      {
        startPaused: true,
        hooks: {
          onNodeStart: async (_index, id) => Boolean(seen.push(`start:${id}`)),
          onNodeComplete: async (_index, id) => void seen.push(`done:${id}`),
          onPause: async (index, id) => void seen.push(`pause:${index}:${id}`),
          onResume: async () => void seen.push('resume'),
        },
      },
    );
    if (!controller) throw new Error('no controller');
    while (controller.getState().status !== 'paused') await new Promise((resolve) => setImmediate(resolve));
    expect(controller.getState()).toMatchObject({ status: 'paused', currentNodeId: 'entry' });
    expect(() => controller.pause()).toThrow('Cannot pause: execution status is "paused"');
    await controller.step();
    expect(controller.getState()).toMatchObject({ status: 'paused', currentNodeId: 'pick' });
    expect(seen).toEqual(['pause:0:entry', 'resume', 'start:entry', 'done:entry', 'pause:1:pick']);
    expect(api.getContextForExecution(0)).toEqual({});
    expect(api.getExecutionByIndex(0)).toMatchObject({ nodeId: 'entry' });
    controller.setBreakpoints(['exit']);
    controller.resume();
    while (controller.getState().currentNodeId !== 'exit') await new Promise((resolve) => setImmediate(resolve));
    expect(api.getContextForExecution(2)).toEqual({ entry: { value: 5 }, pick: 'low' });
    controller.clearBreakpoints();
    controller.resume();
    await promise;
    expect(controller.getState()).toMatchObject({ status: 'finished', currentNodeId: null });
    expect(() => controller.resume()).toThrow('Cannot resume: execution status is "finished"');
    expect(api.getContextForExecution(0)).toBeNull();
    await api.close();
  });

  test('onNodeStart that returns false pauses', async () => {
    const api = new McpGraphApi(file);
    const { promise, controller } = api.executeTool(
      'route',
      { value: 5 },
      { hooks: { onNodeStart: async (_index, id) => id !== 'pick' } },
    );
    while (controller?.getState().status !== 'paused') await new Promise((resolve) => setImmediate(resolve));
    expect(controller.getState().currentNodeId).toBe('pick');
    controller.resume();
    expect((await promise).result).toMatchObject({ result: 'low' });
    await api.close();
  });

  test.each(['onNodeStart', 'onPause'] as const)('stop from %s ends the run', async (where) => {
    const api = new McpGraphApi(file);
    const stop = () => {
      api.getController()?.stop();
      expect(api.getExecutionState()?.status ?? 'stopped').toBe('stopped');
      return true;
    };
    const { promise, controller } = api.executeTool(
      'route',
      { value: 5 },
      { hooks: { [where]: async () => void stop() }, breakpoints: where === 'onPause' ? ['pick'] : [] },
    );
    await expect(promise).rejects.toThrow('Execution was stopped');
    expect(controller?.getState().status).toBe('stopped');
    await api.close();
  });

  test('rejects what cannot be run, with the reason', async () => {
    const api = new McpGraphApi(file);
    await expect(api.executeTool('nothing').promise).rejects.toThrow('Tool not found: nothing');
    await expect(api.executeTool('route', { value: 'x' }).promise).rejects.toThrow('value: must be number');
    await api.close();
    expect(() => new McpGraphApi(join(directory, 'none.yaml'))).toThrow('Graph file not found');
    const broken = write('broken.yaml', routes.replace('next: pick', 'next: pck'));
    expect(() => new McpGraphApi(broken)).toThrow(
      /^Graph validation failed: .*Node "entry" in tool "route" references non-existent next node "pck"; did you mean "pick"\?/,
    );
    expect(McpGraphApi.validateConfig(broken)).toMatchObject([
      { nodeId: 'entry', toolName: 'route', line: 13, code: 'missing-target' },
      {},
    ]);
  });

  test('a server that cannot be started is told with its code', async () => {
    const path = write(
      'dead.yaml',
      routes
        .replace('tools:', 'mcpServers: { gone: { command: /nonexistent/server } }\ntools:')
        .replace(
          '{ id: high, type: transform, transform: { expr: \'{ "result": "high" }\' }, next: exit }',
          '{ id: high, type: mcp, server: gone, tool: x, next: exit }',
        ),
    );
    const api = new McpGraphApi(path);
    const error = await api.executeTool('route', { value: 50 }).promise.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ToolCallMcpError);
    expect(error).toMatchObject({ code: -32_000, nodeId: 'high' });
    await api.close();
  });

  test('servers given beside the file are used, and the file wins', () => {
    const path = write(
      'merge.yaml',
      routes.replace('tools:', 'mcpServers: { shared: { command: a, args: [from-graph] } }\ntools:'),
    );
    const api = new McpGraphApi(path, {
      shared: { command: 'b', args: ['from-file'] },
      other: { url: 'http://localhost:1/mcp' },
    });
    const { servers } = api.getDocument();
    expect(servers.get('shared')).toMatchObject({ source: 'graph', args: ['from-graph'] });
    expect(servers.get('other')).toMatchObject({ source: 'external', type: 'http' });
  });

  test('tools can be added, changed and deleted; saving keeps comments; what is wrong changes nothing', async () => {
    const path = write('edited.yaml', routes);
    const api = new McpGraphApi(path);
    const tool = {
      name: 'same',
      description: 'Gives back',
      inputSchema: { type: 'object' },
      nodes: [
        { id: 'entry', type: 'entry', next: 'exit' },
        { id: 'exit', type: 'exit' },
      ],
    };
    expect(() => api.addTool({ ...tool, nodes: [{ id: 'x', type: 'nosuchtype' }] })).toThrow('Tool validation failed');
    api.addTool(tool);
    expect(() => api.addTool(tool)).toThrow('Tool with name "same" already exists');
    expect((await api.executeTool('same', { a: 1 }).promise).result).toEqual({ a: 1 });
    api.updateTool('same', { ...tool, description: 'Echo' });
    api.save();
    const saved = readFileSync(path, 'utf8');
    expect(saved).toContain('# high first');
    expect(new McpGraphApi(path).getTool('same')?.description).toBe('Echo');
    api.deleteTool('same');
    expect(() => api.deleteTool('same')).toThrow('Tool "same" not found');
    expect((await api.executeToolDefinition(tool, { b: 2 })).result).toEqual({ b: 2 });
    expect(api.listTools()).toHaveLength(1);
    await api.close();
  });
});
