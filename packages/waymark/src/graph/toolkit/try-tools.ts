import { z } from 'zod';
import { annotate, type Context, defineTool, Reply, type Tool, ToolError } from '../../kit/index.ts';
import { historyIn, logOf } from './describe-run.ts';
import type { GraphFile, RawTool } from './graph-file.ts';
import { data, definition, toolName } from './inputs.ts';
import { missingServer } from './servers.ts';
import type { ToolkitServices } from './services.ts';
import { tryExpression, tryRule, tryTool } from './try-out.ts';

const failure = z.object({ message: z.string(), details: z.unknown().optional() }).optional();

/** Trying things out: whole tools, expressions, rules, tools of servers. */
export function tryTools(file: GraphFile, services: ToolkitServices): Tool[] {
  const tryOut = z.object({ result: z.unknown(), error: failure });
  return [
    defineTool({
      name: 'runGraphTool',
      title: 'Run a graph tool',
      description:
        'Runs a tool of the graph (toolName) or a draft that is not in it (toolDefinition). ' +
        'Gives the result and what every node put out, also when it fails.',
      input: z.strictObject({
        toolName: toolName.optional(),
        toolDefinition: definition.optional(),
        arguments: data.default({}).describe('Arguments of the tool'),
        logging: z.boolean().optional().describe('Also give a log'),
      }),
      output: z.object({
        result: z.unknown(),
        run: z.string(),
        executionHistory: z.array(z.looseObject({ executionIndex: z.number(), nodeId: z.string() })),
        logging: z.array(z.looseObject({ level: z.string(), message: z.string(), timestamp: z.string() })).optional(),
      }),
      annotations: { ...annotate.add, destructive: true, openWorld: true },
      scopes: ['graphs:edit', 'graphs:run'],
      run: (input, context) => runTool(file, services, input, context),
    }),
    defineTool({
      name: 'testJSONata',
      title: 'Try a JSONata expression',
      description:
        'Evaluates a JSONata expression on a context, e.g. {"expression": "$.entry.n * 2", "context": {"entry": {"n": 5}}}.',
      input: z.strictObject({ expression: z.string(), context: data }),
      output: tryOut,
      annotations: annotate.read,
      scopes: ['graphs:edit'],
      run: ({ expression, context }) => tryExpression(expression, context, file.document),
    }),
    defineTool({
      name: 'testJSONLogic',
      title: 'Try a JSON Logic rule',
      description:
        'Evaluates a JSON Logic rule on a context, e.g. {"expression": {">": [{"var": "entry.n"}, 3]}, "context": {"entry": {"n": 5}}}.',
      input: z.strictObject({ expression: z.unknown(), context: data }),
      output: tryOut,
      annotations: annotate.read,
      scopes: ['graphs:edit'],
      run: ({ expression, context }) => tryRule(expression, context, file.document),
    }),
    defineTool({
      name: 'testMcpTool',
      title: 'Try a tool of an MCP server',
      description:
        'Calls a tool of an MCP server and shows the output an mcp node would have. ' +
        'Parts of args written {"expr": "..."} are evaluated on the context first.',
      input: z.strictObject({
        server: z.string().min(1),
        tool: z.string().min(1),
        args: data.default({}),
        context: data.optional(),
      }),
      output: z.object({
        output: z.unknown(),
        evaluatedArgs: z.unknown().optional(),
        executionTime: z.number().describe('Milliseconds'),
        error: failure,
      }),
      annotations: { ...annotate.add, destructive: true, openWorld: true },
      scopes: ['graphs:edit', 'graphs:run'],
      run({ server, tool, args, context: values }, context) {
        const { document } = file;
        const found = document.servers.get(server) ?? missingServer(server, [...document.servers.keys()]);
        return tryTool({ server: found, tool, args, context: values }, document, services.caller, context);
      },
    }),
  ];
}

async function runTool(
  file: GraphFile,
  { runs }: ToolkitServices,
  input: {
    toolName?: string | undefined;
    toolDefinition?: object | undefined;
    arguments: Record<string, unknown>;
    logging?: boolean | undefined;
  },
  context: Context,
) {
  if (input.toolName !== undefined && input.toolDefinition !== undefined) {
    throw new ToolError('INVALID_INPUT', 'Cannot specify both toolName and toolDefinition');
  }
  const draft = input.toolDefinition as RawTool | undefined;
  const name = draft?.name ?? input.toolName;
  if (name === undefined) throw new ToolError('INVALID_INPUT', 'Either toolName or toolDefinition is required');
  if (!draft) file.tool(name);
  const document = draft ? file.documentWith(draft) : file.document;
  const handle = await runs.start({
    document,
    tool: name,
    args: input.arguments,
    user: context.user,
    signal: context.signal,
  });
  const outcome = await handle.outcome;
  const events = handle.events();
  const told = {
    run: outcome.run,
    executionHistory: historyIn(events),
    ...(input.logging ? { logging: logOf(events) } : {}),
  };
  if (outcome.status === 'succeeded') return { result: outcome.result ?? null, ...told };
  const { code, message, node, details } = outcome.error;
  const structured = { error: code, message, ...(node ? { node } : {}), ...(details ? { details } : {}), ...told };
  return new Reply<never>({ structured: structured as never, isError: true });
}
