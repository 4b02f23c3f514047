import type { GraphNode } from '../model.ts';

/** A tool as the API lists it. */
export interface ToolInfo {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
}

/** A tool as a graph file writes it. */
export type ToolDefinition = { name: string } & Record<string, unknown>;

/** A graph file as plain data. */
export interface McpGraphConfig {
  version: string;
  server: { name: string; version: string; title?: string; instructions?: string } & Record<string, unknown>;
  tools: ToolDefinition[];
  [key: string]: unknown;
}

export type ExecutionStatus = 'not_started' | 'running' | 'paused' | 'finished' | 'error' | 'stopped';

export interface NodeExecutionRecord {
  executionIndex: number;
  nodeId: string;
  nodeType: string;
  /** Loops, branches and calls around the execution; '' at the top. */
  path: string;
  /** Milliseconds since 1970. */
  startTime: number;
  endTime: number;
  /** Milliseconds, with fractions. */
  duration: number;
  output: unknown;
  error?: Error;
}

export interface ExecutionState {
  status: ExecutionStatus;
  currentNodeId: string | null;
  executionHistory: NodeExecutionRecord[];
  context: DataContext;
  error?: Error;
}

/** The outputs of a run, now and at any earlier point. */
export interface DataContext {
  getData(): Record<string, unknown>;
  getHistory(): NodeExecutionRecord[];
  /** What the execution at that index could see; null when there is none. */
  getContextForExecution(executionIndex: number): Record<string, unknown> | null;
  getExecutionByIndex(executionIndex: number): NodeExecutionRecord | undefined;
}

/** Each is awaited before the run goes on. */
export interface ExecutionHooks {
  /** Return false to pause before the node. */
  onNodeStart?(
    executionIndex: number,
    nodeId: string,
    node: GraphNode,
    context: Record<string, unknown>,
  ): Promise<boolean> | boolean;
  onNodeComplete?(
    executionIndex: number,
    nodeId: string,
    node: GraphNode,
    input: unknown,
    output: unknown,
    duration: number,
  ): Promise<void> | void;
  onNodeError?(
    executionIndex: number,
    nodeId: string,
    node: GraphNode,
    error: Error,
    context: Record<string, unknown>,
  ): Promise<void> | void;
  onPause?(executionIndex: number, nodeId: string, context: Record<string, unknown>): Promise<void> | void;
  onResume?(): Promise<void> | void;
}

export interface ExecutionController {
  /** Only while running. */
  pause(): void;
  /** Only while paused. */
  resume(): void;
  /** Only while paused; resolves when the next node is reached or the run has ended. */
  step(): Promise<void>;
  /** Only while paused; resolves there or at the end. */
  runTo(nodeId: string): Promise<void>;
  /** Ends the run at once, also in the middle of a tool call. */
  stop(): void;
  getState(): ExecutionState;
  /** A breakpoint may have a condition: a JSONata expression over the context. */
  setBreakpoints(breakpoints: (string | { node: string; condition: string })[]): void;
  clearBreakpoints(): void;
  getBreakpoints(): string[];
  /** Evaluates an expression now, or as things were after an earlier execution. */
  evaluate(expression: string, executionIndex?: number): Promise<unknown>;
  /** Changes the latest output of a node; only while paused. */
  setValue(nodeId: string, value: unknown): void;
}

export interface ExecutionOptions {
  hooks?: ExecutionHooks;
  breakpoints?: (string | { node: string; condition: string })[];
  enableTelemetry?: boolean;
  /** Pause before the entry node. */
  startPaused?: boolean;
  enableLogging?: boolean;
  signal?: AbortSignal;
  /** Outputs that replace nodes, by node id. */
  mocks?: Record<string, unknown>;
  /** Call no server. */
  dryRun?: boolean;
}

export interface ExecutionTelemetry {
  totalDuration: number;
  /** Milliseconds by node type. */
  nodeDurations: Map<string, number>;
  nodeCounts: Map<string, number>;
  errorCount: number;
}

export interface LogEntry {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  timestamp: number;
  args?: unknown[];
}

export interface ExecutionResult {
  result: unknown;
  structuredContent: Record<string, unknown>;
  executionHistory: NodeExecutionRecord[];
  telemetry?: ExecutionTelemetry;
  logs?: LogEntry[];
  runId: string;
}

export interface ValidationError {
  message: string;
  nodeId?: string;
  toolName?: string;
  line: number;
  column: number;
  code: string;
}
