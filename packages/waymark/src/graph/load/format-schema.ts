import { defaultLimits, type NodeType } from '../model.ts';
import { nodeKeys } from './read-node-types.ts';

type Schema = Record<string, unknown>;

const text = (description: string): Schema => ({ type: 'string', description });
const count = (description: string, minimum = 1): Schema => ({ type: 'integer', minimum, description });
const flag = (description: string): Schema => ({ type: 'boolean', description });
const map = (description: string, values: Schema): Schema => ({
  type: 'object',
  description,
  additionalProperties: values,
});
const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const strict = (description: string, properties: Schema, required: readonly string[] = []): Schema => ({
  type: 'object',
  description,
  properties,
  required,
  additionalProperties: false,
});

const nodeProperties: Record<string, Schema> = {
  id: { type: 'string', minLength: 1, description: 'Names the node. Its latest output is $.<id> in expressions.' },
  title: text('Shown in pictures instead of the id.'),
  description: text('A note for readers.'),
  next: text('The id of the node that follows.'),
  server: text('A name in mcpServers, or waymark:<toolset> for one of the own toolsets.'),
  args: {
    type: 'object',
    description: 'Arguments. {expr: …} at any depth is a JSONata expression; everything else is passed on as it is.',
  },
  result: {
    enum: ['value', 'full'],
    description:
      'value (default): structured content, else the first text read as JSON. full: {content, structuredContent}.',
  },
  transform: strict('What a transform node computes.', { expr: text('A JSONata expression over the context.') }, [
    'expr',
  ]),
  conditions: {
    type: 'array',
    items: ref('condition'),
    description: 'Tried in order; the first whose rule holds decides.',
  },
  branches: {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    uniqueItems: true,
    description: 'The first node of each branch. All branches end at the same join node.',
  },
  mode: {
    enum: ['all', 'any', 'settled'],
    description:
      'all (default): every branch must succeed. any: the first success wins. settled: failures become outputs.',
  },
  items: {
    description: 'A list, or an expression that gives one.',
    anyOf: [{ type: 'array' }, { type: 'string' }, ref('expression')],
  },
  as: text('The name of the current item in the context; "item" by default. Its position is "index".'),
  concurrency: count('How many items are worked on at the same time; 1 by default.'),
  itemErrors: {
    enum: ['fail', 'keep'],
    description: 'fail (default): a failed item fails the node. keep: its result is {error}.',
  },
  nodes: {
    type: 'array',
    items: ref('node'),
    minItems: 1,
    description: 'What is done with each item: begins at the first node, ends at a node without next.',
  },
  graph: text('A name in graphs; the same file when absent.'),
  ms: {
    description: 'Milliseconds to wait, or an expression.',
    anyOf: [{ type: 'number', minimum: 0 }, ref('expression')],
  },
  until: {
    description: 'An ISO 8601 instant to wait for, or an expression.',
    anyOf: [{ type: 'string' }, ref('expression')],
  },
  message: {
    description: 'What the person is asked: a text or an expression.',
    anyOf: [{ type: 'string' }, ref('expression')],
  },
  form: { type: 'object', description: 'A flat JSON Schema of what else the person fills in.' },
  rejected: text('Where a refusal leads; without it a refusal fails the node.'),
  retry: {
    description: 'Try again after failures that may pass by themselves. A number is the number of attempts.',
    anyOf: [
      { type: 'integer', minimum: 1 },
      strict('How to retry.', {
        attempts: count('All tries together; 3 by default.'),
        delayMs: count('The first delay; 200 by default.', 0),
        factor: {
          type: 'number',
          minimum: 1,
          maximum: 100,
          description: 'Each delay is this many times the one before; 2 by default.',
        },
        maxDelayMs: count('The longest delay; 30000 by default.', 0),
        jitter: {
          type: 'number',
          minimum: 0,
          maximum: 1,
          description: 'The share of a delay that is random; 0.2 by default.',
        },
        on: { type: 'array', items: { type: 'string' }, description: 'Only these error codes.' },
      }),
    ],
  },
  timeoutMs: count('Fails the node, and stops what it does, after this time.'),
  onError: text('Where to go when the node fails; its output is then {error: {code, message, node}}.'),
  continueOnError: flag('Go on to next with that output instead of failing.'),
  cache: {
    description: 'Reuse the output for equal arguments. true: for five minutes.',
    anyOf: [
      { type: 'boolean' },
      strict('How to reuse outputs.', {
        ttlMs: count('How long an output is used.'),
        key: text('A JSONata expression; executions with the same value share an output.'),
      }),
    ],
  },
};

const typeDescriptions: Record<NodeType, string> = {
  entry: 'Where a tool begins. Its output is the arguments of the call.',
  exit: 'Where a tool ends. Its output, that of the node before, is the result.',
  mcp: "Calls a tool of an MCP server. Its output is the tool's answer.",
  transform: 'Computes a value with JSONata.',
  switch: 'Goes one of several ways, decided by JSON Logic. Its output is the id of the chosen node.',
  parallel: 'Runs several branches at the same time.',
  join: 'Waits for the branches of a parallel node. Its output is {first node of branch: last output of branch}.',
  foreach: 'Runs nodes for every item of a list. Its output is the list of results, in order.',
  call: 'Runs another tool of this graph, or of another graph file.',
  wait: 'Waits for a time.',
  approve: 'Asks a person. Its output is {approved, action, answers, by}.',
};

const requiredKeys: Record<NodeType, readonly string[]> = {
  entry: ['next'],
  exit: [],
  mcp: ['server', 'tool'],
  transform: ['transform'],
  switch: ['conditions'],
  parallel: ['branches'],
  join: [],
  foreach: ['items', 'nodes'],
  call: ['tool'],
  wait: [],
  approve: ['message'],
};

function nodeSchema(type: NodeType): Schema {
  const properties: Schema = { type: { const: type, description: typeDescriptions[type] } };
  for (const key of nodeKeys[type]) if (key !== 'type') properties[key] = nodeProperties[key] ?? toolKey(type);
  if (type === 'parallel') properties['next'] = text('The join node all branches end at; found by itself when absent.');
  if (type === 'switch') properties['next'] = text('The default: where to go when no rule holds.');
  return {
    ...strict(typeDescriptions[type], properties, ['id', 'type', ...requiredKeys[type]]),
    title: `${type} node`,
  };
}

function toolKey(type: NodeType): Schema {
  if (type === 'mcp') return text('The name of the tool on that server.');
  return type === 'call' ? text('The name of the tool to run.') : text('Older files: the tool this node belongs to.');
}

const limitDescriptions: Record<keyof typeof defaultLimits, string> = {
  maxNodeExecutions: 'Node executions of one run, all together.',
  maxExecutionTimeMs: 'Milliseconds one run may take; also interrupts a running call.',
  maxConcurrency: 'Nodes of one run that work at the same time.',
  maxCallDepth: 'How deep call nodes may nest.',
  maxPayloadBytes: 'The largest output of one node, as JSON.',
  expressionTimeoutMs: 'Milliseconds one expression may take.',
};

const serverCommon = {
  description: text('A note for readers.'),
  timeoutMs: count('For one tool call, unless the node says otherwise.'),
};
const texts = (description: string) => map(description, { type: ['string', 'number', 'boolean'] });
const remote: Schema = {
  ...serverCommon,
  url: text('The address. ${VAR} is read from the environment.'),
  headers: texts('Sent with every request. ${VAR} is read from the environment.'),
  bearerToken: text('Sent as Authorization: Bearer. Use ${VAR}.'),
  requestInit: { type: 'object', description: 'Only its headers are used.' },
};

/** The JSON Schema of graph files, for editors. Its keys come from the same tables the loader reads by. */
export function graphFileSchema(): Schema {
  const types = Object.keys(nodeKeys) as NodeType[];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:waymark:graph-file',
    title: 'Waymark graph',
    description: 'A graph of MCP tool calls, transformations and decisions, served as MCP tools.',
    type: 'object',
    required: ['version', 'server'],
    additionalProperties: false,
    properties: {
      version: text('The version of the file format: "1.0".'),
      server: strict(
        'What MCP clients are told about the server.',
        {
          name: { type: 'string', minLength: 1, description: 'The name of the server.' },
          version: { type: 'string', minLength: 1, description: 'The version of the server.' },
          title: text('A name for people; the name by default.'),
          instructions: text('What a model should know about the server.'),
          description: text('A note for readers.'),
        },
        ['name', 'version'],
      ),
      executionLimits: strict(
        'What one run may use.',
        Object.fromEntries(
          Object.entries(defaultLimits).map(([key, value]) => [
            key,
            {
              ...count(limitDescriptions[key as keyof typeof defaultLimits]),
              ...(key === 'expressionTimeoutMs' ? { maximum: 10_000 } : {}),
              default: value,
            },
          ]),
        ),
      ),
      expressions: {
        enum: ['dollar', 'explicit'],
        description: 'dollar: argument texts that start with $ are expressions. explicit: only {expr: …} is.',
      },
      mcpServers: map('The MCP servers that nodes call.', ref('server')),
      servers: map('Older files: mcpServers.', ref('server')),
      constants: {
        type: 'object',
        description: 'Values that expressions see as $constants. ${VAR} is read from the environment and never shown.',
      },
      graphs: map(
        'Other graph files that call nodes use, by a name of your choice.',
        text('A path relative to this file.'),
      ),
      tools: { type: 'array', items: ref('tool'), description: 'The tools that are served.' },
      nodes: { type: 'array', items: ref('node'), description: 'Older files: the nodes of all tools.' },
      tests: { type: 'array', items: ref('test'), description: 'Run with: waymark graph test' },
    },
    $defs: {
      expression: strict('A JSONata expression over the context.', { expr: text('JSONata.') }, ['expr']),
      condition: {
        ...strict('A way to go.', {
          rule: { description: 'A JSON Logic rule. Absent: always.' },
          next: text('The node to go to.'),
          target: text('Older files: next.'),
        }),
        anyOf: [{ required: ['next'] }, { required: ['target'] }],
      },
      server: {
        description: 'How to reach an MCP server.',
        anyOf: [
          strict(
            'A program that is started and spoken to through stdin and stdout, without a shell.',
            {
              ...serverCommon,
              type: { const: 'stdio', description: 'A program.' },
              command: text('The program.'),
              args: { type: 'array', items: { type: 'string' }, description: 'Its arguments.' },
              env: texts('Added to a minimal environment.'),
              cwd: text('Where it runs, relative to this file; where Waymark runs by default.'),
            },
            ['command'],
          ),
          strict(
            'A server reached by Streamable HTTP.',
            {
              ...remote,
              type: { enum: ['streamableHttp', 'http', 'streamable-http'], description: 'Streamable HTTP.' },
            },
            ['url'],
          ),
          strict(
            'A server reached by the older HTTP with SSE.',
            {
              ...remote,
              type: { const: 'sse', description: 'HTTP with SSE.' },
              eventSourceInit: { type: 'object', description: 'Accepted for older files.' },
            },
            ['url', 'type'],
          ),
          strict(
            'One of the own toolsets, in this process.',
            {
              ...serverCommon,
              type: { const: 'waymark', description: 'An own toolset.' },
              toolset: text('Such as tasks, hnpx or sop.'),
            },
            ['type', 'toolset'],
          ),
        ],
      },
      tool: strict(
        'An MCP tool made of nodes.',
        {
          name: { type: 'string', minLength: 1, description: 'The name of the tool.' },
          title: text('A name for people.'),
          description: text('For the model: when to use it and what comes back.'),
          inputSchema: {
            type: 'object',
            description: 'The JSON Schema of the arguments, checked on every call.',
            properties: { type: { const: 'object' } },
            required: ['type'],
          },
          outputSchema: { type: 'object', description: 'The JSON Schema of the result, checked on every return.' },
          annotations: strict('Hints for clients.', {
            readOnlyHint: flag('Changes nothing.'),
            destructiveHint: flag('May remove or overwrite.'),
            idempotentHint: flag('Calling again changes nothing further.'),
            openWorldHint: flag('Reaches things outside.'),
          }),
          nodes: {
            type: 'array',
            items: ref('node'),
            description: 'The graph: one entry, one exit, and what lies between.',
          },
        },
        ['name', 'description', 'inputSchema'],
      ),
      node: { description: 'A step.', oneOf: types.map((type) => ref(`${type}Node`)) },
      ...Object.fromEntries(types.map((type) => [`${type}Node`, nodeSchema(type)])),
      test: strict(
        'A run with a known outcome.',
        {
          name: { type: 'string', minLength: 1, description: 'Shown in the report.' },
          tool: text('The tool to run.'),
          args: { type: 'object', description: 'Its arguments.' },
          mocks: {
            type: 'object',
            description: 'By node id: {output}, {outputs: […]}, {error: {code, message}}, or just the output.',
          },
          expect: { description: 'The whole result.' },
          expectExpr: text('A JSONata expression over {result, history} that must be true.'),
          expectError: text('The code of the error, or a part of its message.'),
          path: {
            type: 'array',
            items: { type: 'string' },
            description: 'The ids of the nodes in the order they end.',
          },
        },
        ['name', 'tool'],
      ),
    },
  };
}
