/** Where something stands in the file; lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One thing wrong, or worth knowing, in a graph file. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  /** Stable and kebab-case, such as `unknown-key` or `missing-target`. */
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly position: Position;
  /** The place in the YAML, such as `tools[0].nodes[2].next`. */
  readonly path: string;
  readonly tool?: string;
  readonly node?: string;
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonSchemaDocument = Readonly<Record<string, unknown>>;

/** `old`: nodes beside the tools. `dollar`: arguments that start with `$`. `expr`: `{expr}` arguments and everything of ours. */
export type Dialect = 'old' | 'dollar' | 'expr';

/** A graph file, read, checked and brought into one form whatever its dialect. */
export interface GraphDocument {
  /** The path as it was given; shown in messages. */
  readonly file: string;
  /** The directory relative paths in the file start from. */
  readonly directory: string;
  readonly dialect: Dialect;
  readonly version: string;
  readonly server: GraphServerInfo;
  readonly limits: ExecutionLimits;
  readonly servers: ReadonlyMap<string, ServerDefinition>;
  readonly constants: Readonly<Record<string, unknown>>;
  readonly tools: ReadonlyMap<string, GraphTool>;
  readonly tests: readonly GraphTest[];
  /** Other graph files that `call` nodes name, by the name used in the file. */
  readonly graphs: ReadonlyMap<string, GraphDocument>;
  /** The SHA-256 of the source text, in hex. */
  readonly hash: string;
  readonly source: string;
  readonly warnings: readonly Problem[];
  /** Values that came from `${VAR}` and must not be shown. */
  readonly secrets: readonly Secret[];
}

export interface Secret {
  readonly name: string;
  readonly value: string;
}

export interface GraphServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly instructions?: string;
}

export interface ExecutionLimits {
  readonly maxNodeExecutions: number;
  readonly maxExecutionTimeMs: number;
  /** Nodes of one run that work at the same time. */
  readonly maxConcurrency: number;
  /** How deep `call` nodes may nest. */
  readonly maxCallDepth: number;
  /** The largest output of one node, as JSON. */
  readonly maxPayloadBytes: number;
  readonly expressionTimeoutMs: number;
}

export const defaultLimits: ExecutionLimits = {
  maxNodeExecutions: 1000,
  maxExecutionTimeMs: 300_000,
  maxConcurrency: 16,
  maxCallDepth: 32,
  maxPayloadBytes: 64 * 1024 * 1024,
  expressionTimeoutMs: 1000,
};

/** How to reach a downstream MCP server. `${VAR}` is already replaced; `missing` names variables that were not set. */
export type ServerDefinition = StdioServer | SseServer | HttpServer | WaymarkServer;

interface ServerBase {
  readonly name: string;
  /** Equal for definitions that may share a connection, whichever file they come from. */
  readonly key: string;
  /** `graph`: from the graph file. `external`: from the file given with `-m`. */
  readonly source: 'graph' | 'external';
  /** Variables the definition needs and the environment lacks; connecting is refused while any is left. */
  readonly missing: readonly string[];
  /** Values it took from the environment; they must not be shown. */
  readonly secrets: readonly Secret[];
  /** For one tool call, unless the node says otherwise. */
  readonly timeoutMs?: number;
}

export interface StdioServer extends ServerBase {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to a minimal environment; the rest of ours is not passed on. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
}

export interface SseServer extends ServerBase {
  readonly type: 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpServer extends ServerBase {
  readonly type: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One of Waymark's own toolsets, reached in process: `server: waymark:tasks`. */
export interface WaymarkServer extends ServerBase {
  readonly type: 'waymark';
  readonly toolset: string;
}

export interface GraphTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchemaDocument;
  readonly outputSchema?: JsonSchemaDocument;
  readonly annotations?: Readonly<Record<string, boolean>>;
  readonly body: NodeList;
  readonly position: Position;
}

/** A set of nodes with one way in: a tool's graph, or what a `foreach` repeats. */
export interface NodeList {
  readonly start: string;
  /** Absent in a `foreach` body, which ends at any node without `next`. */
  readonly exit?: string;
  readonly nodes: ReadonlyMap<string, GraphNode>;
}

export type GraphNode =
  | EntryNode
  | ExitNode
  | McpNode
  | TransformNode
  | SwitchNode
  | ParallelNode
  | JoinNode
  | ForeachNode
  | CallNode
  | WaitNode
  | ApproveNode;

export type NodeType = GraphNode['type'];

interface NodeBase {
  readonly id: string;
  readonly title?: string;
  readonly position: Position;
  /** The node that follows. Only the last nodes of a `foreach` body and `exit` have none. */
  readonly next?: string;
}

/** What nodes that can fail have in common. */
export interface Fallible {
  readonly retry?: RetryPolicy;
  readonly timeoutMs?: number;
  /** Where to go when the node fails; its output is then `{error: {code, message, node}}`. */
  readonly onError?: string;
  /** Go on to `next` with that output instead of failing the run. */
  readonly continueOnError?: boolean;
}

export interface RetryPolicy {
  /** All tries together. */
  readonly attempts: number;
  readonly delayMs: number;
  /** Each delay is this many times the one before. */
  readonly factor: number;
  readonly maxDelayMs: number;
  /** The share of a delay that is random, 0 to 1. */
  readonly jitter: number;
  /** Retry only these error codes; all that can pass by themselves when absent. */
  readonly on?: readonly string[];
}

export interface CachePolicy {
  readonly ttlMs: number;
  /** What makes two executions the same; the arguments when absent. */
  readonly key?: ExpressionSource;
}

/** A JSONata expression as written, with where its text begins. */
export interface ExpressionSource {
  readonly text: string;
  readonly position: Position;
  /** The expression's text stands in the file exactly as is, so an offset in it can be turned into a column. */
  readonly verbatim: boolean;
}

/** A value with expressions inside, ready to be filled in. */
export type Template =
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'expression'; readonly expression: ExpressionSource }
  | { readonly kind: 'array'; readonly items: readonly Template[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Template])[] };

export interface EntryNode extends NodeBase {
  readonly type: 'entry';
}

export interface ExitNode extends NodeBase {
  readonly type: 'exit';
}

export interface McpNode extends NodeBase, Fallible {
  readonly type: 'mcp';
  readonly server: string;
  readonly tool: string;
  readonly args: Template;
  readonly cache?: CachePolicy;
  /** `value`: structured content, else the first text read as JSON. `full`: `{content, structuredContent}` whole. */
  readonly result: 'value' | 'full';
}

export interface TransformNode extends NodeBase, Fallible {
  readonly type: 'transform';
  readonly expression: ExpressionSource;
  readonly cache?: CachePolicy;
}

export interface SwitchNode extends NodeBase, Fallible {
  readonly type: 'switch';
  readonly conditions: readonly SwitchCondition[];
  /** Where to go when no rule holds; absent in older files without a default. */
  readonly otherwise?: string;
}

export interface SwitchCondition {
  /** A JSON Logic rule; undefined always holds. */
  readonly rule: unknown;
  readonly next: string;
  readonly position: Position;
}

export interface ParallelNode extends NodeBase {
  readonly type: 'parallel';
  /** The first node of each branch. */
  readonly branches: readonly string[];
  /** Where the file says the branches come together; they always do at the join node they reach. */
  readonly join?: string;
}

/** Waits for every branch of a `parallel` node; its output is `{firstNodeOfBranch: lastOutputOfBranch}`. */
export interface JoinNode extends NodeBase {
  readonly type: 'join';
  /** `all`: every branch must succeed. `any`: the first success wins and the others are cancelled. `settled`: failures become outputs. */
  readonly mode: 'all' | 'any' | 'settled';
}

export interface ForeachNode extends NodeBase, Fallible {
  readonly type: 'foreach';
  readonly items: Template;
  /** The name of the current item in the body's context. */
  readonly as: string;
  readonly concurrency: number;
  /** `keep`: a failed item's result is `{error}`. `fail`: it fails the node. */
  readonly itemErrors: 'fail' | 'keep';
  readonly body: NodeList;
}

export interface CallNode extends NodeBase, Fallible {
  readonly type: 'call';
  readonly tool: string;
  /** A name in `graphs`; the same file when absent. */
  readonly graph?: string;
  readonly args: Template;
  readonly cache?: CachePolicy;
}

export interface WaitNode extends NodeBase {
  readonly type: 'wait';
  /** A number of milliseconds, or an ISO 8601 instant to wait for. */
  readonly duration: Template;
}

export interface ApproveNode extends NodeBase, Fallible {
  readonly type: 'approve';
  readonly message: Template;
  /** What else the person is asked for, as a flat JSON Schema of an object. */
  readonly form?: JsonSchemaDocument;
  /** Where a refusal leads; without it a refusal fails the node. */
  readonly rejected?: string;
}

/** A case of the `tests:` section, run by `waymark graph test`. */
export interface GraphTest {
  readonly name: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly mocks: Readonly<Record<string, unknown>>;
  /** The whole result, or a JSONata expression over `{result, history}` that must be true. */
  readonly expect?: { readonly result: unknown } | { readonly expression: ExpressionSource };
  readonly expectError?: string;
  /** The ids of the nodes in the order they ended. */
  readonly path?: readonly string[];
  readonly position: Position;
}
