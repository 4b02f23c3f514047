export { McpGraphApi } from './api/api.ts';
export { GraphRunError, ToolCallError, ToolCallMcpError } from './api/errors.ts';
export type {
  DataContext,
  ExecutionController,
  ExecutionHooks,
  ExecutionOptions,
  ExecutionResult,
  ExecutionState,
  ExecutionStatus,
  ExecutionTelemetry,
  LogEntry,
  McpGraphConfig,
  NodeExecutionRecord,
  ToolDefinition,
  ToolInfo,
  ValidationError,
} from './api/types.ts';
export type { ToolCaller, ToolCallOptions } from './connections/connection.ts';
export { ToolCallFailure } from './connections/connection.ts';
export { createConnections } from './connections/connections.ts';
export type {
  Breakpoint,
  DebugOptions,
  ForkRequest,
  GraphEngine,
  Mock,
  NodeMoment,
  NodeRecord,
  RunDebugger,
  RunHandle,
  RunHooks,
  RunOutcome,
  RunRequest,
  RunView,
} from './engine.ts';
export type { Answer, Question, Recorder, RunError, RunEvent, RunStatus } from './events.ts';
export { compileExpression, type Expression } from './expressions/jsonata.ts';
export { compileRule, type Rule } from './expressions/json-logic.ts';
export { dataScope, type ExpressionScope } from './expressions/scope.ts';
export { createInlineEngine, type EngineOptions } from './inline/engine.ts';
export { apply } from './interpreter/apply.ts';
export { fold, stateAt } from './interpreter/fold.ts';
export { createState, ready, type RunState } from './interpreter/state.ts';
export { GraphFileError, loadGraphFile, type LoadFileOptions, loadMcpFile, openGraphFile } from './load-file.ts';
export { loadGraph, type LoadOptions, type LoadResult } from './load.ts';
export { formatProblem } from './load/yaml-source.ts';
export type { GraphDocument, GraphNode, GraphTool, NodeType, Problem, ServerDefinition } from './model.ts';
export { type History, type RunDetails, type RunExport, type RunFilter, type RunSummary } from './history/history.ts';
export { type HistoryOptions, openHistory } from './history-store.ts';
export type { GraphEntry, GraphLibrary } from './library.ts';
export { type Graphs, type GraphsOptions, openGraphs } from './open-graphs.ts';
export type { GraphRuns, PendingQuestion, StartRun } from './runs.ts';
export type { ServedGraph } from './serving.ts';
export { createGraphToolset, type GraphToolsetServices } from './tools.ts';
export { createToolkit } from './toolkit/toolkit.ts';
