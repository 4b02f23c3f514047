import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { createConnections } from '../connections/connections.ts';
import type { ToolCaller } from '../connections/connection.ts';
import { editYaml } from '../edit/edit-yaml.ts';
import type { GraphEngine, RunHandle } from '../engine.ts';
import { createInlineEngine } from '../inline/engine.ts';
import { GraphFileError, loadGraphFile, openGraphFile, readServerRecord } from '../load-file.ts';
import { loadGraph } from '../load.ts';
import type { GraphDocument, GraphNode, GraphTool, Problem, ServerDefinition } from '../model.ts';
import { logsOf, telemetryOf } from './report.ts';
import { contextOf, createController, isDebugged, toDebugOptions, toRecord } from './controller.ts';
import { toException } from './errors.ts';
import { toMocks } from './mocks.ts';
import type {
  ExecutionController,
  ExecutionOptions,
  ExecutionResult,
  ExecutionState,
  McpGraphConfig,
  NodeExecutionRecord,
  ToolDefinition,
  ToolInfo,
  ValidationError,
} from './types.ts';

/**
 * A graph file, its tools and their runs, for programs.
 *
 * @example
 * const api = new McpGraphApi('flow.yaml');
 * const { promise } = api.executeTool('count_files', { directory: '.' });
 * console.log((await promise).result);
 * await api.close();
 */
export class McpGraphApi {
  readonly #path: string;
  readonly #external: ReadonlyMap<string, ServerDefinition> | undefined;
  readonly #caller: ToolCaller;
  readonly #engine: GraphEngine;
  #document: GraphDocument;
  /** The run that was started last among those that are watched. */
  #watched: RunHandle | undefined;

  /**
   * Loads and checks the file at once.
   * @param mcpServersFromFile further servers, as `mcpServers` of an MCP file has them
   * @throws GraphFileError with every problem
   */
  constructor(configPath: string, mcpServersFromFile?: Record<string, unknown>) {
    this.#path = configPath;
    this.#external = mcpServersFromFile && readServerRecord(mcpServersFromFile, configPath, process.env);
    this.#document = openGraphFile(configPath, this.#external ? { externalServers: this.#external } : {});
    this.#caller = createConnections();
    this.#engine = createInlineEngine({ caller: this.#caller });
  }

  getServerInfo(): { name: string; version: string; title: string; instructions?: string } {
    return { ...this.#document.server };
  }

  listTools(): ToolInfo[] {
    return [...this.#document.tools.values()].map(toToolInfo);
  }

  getTool(toolName: string): ToolInfo | undefined {
    const tool = this.#document.tools.get(toolName);
    return tool && toToolInfo(tool);
  }

  /** The file as plain data. */
  getConfig(): McpGraphConfig {
    return readConfig(this.#document.source);
  }

  /** The checked form everything runs on. */
  getDocument(): GraphDocument {
    return this.#document;
  }

  /** The nodes of the run that is being watched; null when there is none. */
  getGraph(): {
    tool: string;
    nodes: ReadonlyMap<string, GraphNode>;
    getNode(id: string): GraphNode | undefined;
  } | null {
    const tool = this.#watched && this.#document.tools.get(this.#watched.tool);
    if (!tool) return null;
    const { nodes } = tool.body;
    return { tool: tool.name, nodes, getNode: (id) => nodes.get(id) };
  }

  /**
   * Starts a run. Any number can run at the same time. The controller is there when hooks,
   * breakpoints or `startPaused` are given.
   */
  executeTool(
    toolName: string,
    toolArguments: Record<string, unknown> = {},
    options: ExecutionOptions = {},
  ): { promise: Promise<ExecutionResult>; controller: ExecutionController | null } {
    return this.#execute(this.#document, toolName, toolArguments, options);
  }

  /** Runs a tool that is not in the file, with the file's servers and limits. */
  async executeToolDefinition(
    toolDefinition: ToolDefinition,
    toolArguments: Record<string, unknown> = {},
    options: ExecutionOptions = {},
  ): Promise<ExecutionResult> {
    const config = this.getConfig();
    const tools = config.tools.filter((tool) => tool.name !== toolDefinition.name);
    const document = this.#load(editYaml(this.#document.source, { ...config, tools: [...tools, toolDefinition] }));
    return this.#execute(document, toolDefinition.name, toolArguments, options).promise;
  }

  #execute(
    document: GraphDocument,
    toolName: string,
    toolArguments: Record<string, unknown>,
    options: ExecutionOptions,
  ): { promise: Promise<ExecutionResult>; controller: ExecutionController | null } {
    if (!document.tools.has(toolName)) {
      return { promise: Promise.reject(new Error(`Tool not found: ${toolName}`)), controller: null };
    }
    const run = randomUUID();
    const handle = this.#engine.start({
      document,
      tool: toolName,
      args: toolArguments,
      run,
      dryRun: options.dryRun ?? false,
      ...(options.signal ? { signal: options.signal } : {}),
      ...(options.mocks ? { mocks: toMocks(options.mocks) } : {}),
      ...(isDebugged(options) ? { debug: toDebugOptions(options, run) } : {}),
    });
    const controller = isDebugged(options) ? createController(handle) : null;
    if (controller) this.#watch(handle);
    return { promise: this.#result(handle, options), controller };
  }

  #watch(handle: RunHandle): void {
    this.#watched = handle;
    void handle.outcome.then(() => {
      if (this.#watched === handle) this.#watched = undefined;
    });
  }

  async #result(handle: RunHandle, options: ExecutionOptions): Promise<ExecutionResult> {
    const outcome = await handle.outcome;
    if (outcome.status !== 'succeeded') throw toException(outcome.error, handle.id);
    const { history } = handle.view();
    return {
      result: outcome.result,
      structuredContent: outcome.result as Record<string, unknown>,
      executionHistory: history.map((record) => toRecord(record, handle.id)),
      ...(options.enableTelemetry ? { telemetry: telemetryOf(history, outcome.durationUs) } : {}),
      ...(options.enableLogging ? { logs: logsOf(handle.events()) } : {}),
      runId: handle.id,
    };
  }

  /** @deprecated Use the controller that `executeTool` returns: several runs may be under way. */
  getController(): ExecutionController | null {
    return this.#watched ? createController(this.#watched) : null;
  }

  getExecutionState(): ExecutionState | null {
    return this.getController()?.getState() ?? null;
  }

  /** What the execution at that index of the watched run could see. */
  getContextForExecution(executionIndex: number): Record<string, unknown> | null {
    return this.#watched ? contextOf(this.#watched).getContextForExecution(executionIndex) : null;
  }

  getExecutionByIndex(executionIndex: number): NodeExecutionRecord | null {
    return this.#watched ? (contextOf(this.#watched).getExecutionByIndex(executionIndex) ?? null) : null;
  }

  /** Adds a tool in memory; `save` writes it. @throws when the name is taken or the tool is not right */
  addTool(tool: ToolDefinition): void {
    const config = this.getConfig();
    if (config.tools.some(({ name }) => name === tool.name))
      throw new Error(`Tool with name "${tool.name}" already exists`);
    this.#change({ ...config, tools: [...config.tools, tool] });
  }

  updateTool(toolName: string, tool: ToolDefinition): void {
    const config = this.getConfig();
    this.#requireTool(toolName);
    this.#change({ ...config, tools: config.tools.map((old) => (old.name === toolName ? tool : old)) });
  }

  deleteTool(toolName: string): void {
    const config = this.getConfig();
    this.#requireTool(toolName);
    this.#change({ ...config, tools: config.tools.filter(({ name }) => name !== toolName) });
  }

  /** Writes the file with what was changed; comments and formatting of the rest stay as they are. */
  save(filePath = this.#path): void {
    writeFileSync(filePath, this.#document.source);
  }

  async close(): Promise<void> {
    await this.#engine.close();
    await this.#caller.close();
  }

  /** Everything that is wrong in a file. */
  static validateConfig(configPath: string): ValidationError[] {
    return errorsOf(loadGraphFile(configPath).problems);
  }

  static loadAndValidateConfig(configPath: string): { config: McpGraphConfig | undefined; errors: ValidationError[] } {
    const result = loadGraphFile(configPath);
    return { config: result.ok ? readConfig(result.document.source) : undefined, errors: errorsOf(result.problems) };
  }

  #requireTool(name: string): void {
    if (!this.#document.tools.has(name)) throw new Error(`Tool "${name}" not found`);
  }

  #change(config: McpGraphConfig): void {
    this.#document = this.#load(editYaml(this.#document.source, config));
  }

  #load(source: string): GraphDocument {
    const result = loadGraph(source, {
      file: this.#path,
      directory: resolve(this.#path, '..'),
      environment: process.env,
      ...(this.#external ? { externalServers: this.#external } : {}),
    });
    if (result.ok) return result.document;
    const messages = errorsOf(result.problems).map(({ message }) => message);
    throw new GraphFileError(`Tool validation failed: ${messages.join(', ')}`, result.problems);
  }
}

function readConfig(source: string): McpGraphConfig {
  const config = parse(source, { merge: true }) as McpGraphConfig;
  return { ...config, tools: config.tools ?? [] };
}

function toToolInfo({ name, description, inputSchema, outputSchema }: GraphTool): ToolInfo {
  return {
    name,
    description,
    inputSchema: { ...inputSchema },
    ...(outputSchema ? { outputSchema: { ...outputSchema } } : {}),
  };
}

function errorsOf(problems: readonly Problem[]): ValidationError[] {
  return problems
    .filter((problem) => problem.severity === 'error')
    .map(({ message, node, tool, position, code }) => ({
      message,
      ...(node === undefined ? {} : { nodeId: node }),
      ...(tool === undefined ? {} : { toolName: tool }),
      line: position.line,
      column: position.column,
      code,
    }));
}
