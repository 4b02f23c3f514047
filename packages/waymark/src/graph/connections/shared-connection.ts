import { setMaxListeners } from 'node:events';
import {
  type CallToolResult,
  type ElicitRequestParams,
  type ElicitResult,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Tool,
} from '@modelcontextprotocol/client';
import type { User } from '../../kit/index.ts';
import type { ServerDefinition } from '../model.ts';
import { ToolCallFailure, type ToolCallOptions } from './connection.ts';
import { toFailure } from './failure.ts';
import { type OpenConnection, openConnection, type OpenOptions, StartError } from './open-connection.ts';

/** The longest delay a timer can have. The run's own time limit interrupts long before. */
const noTimeout = 2_147_483_647;
const pingTimeoutMs = 2000;

/** One server's connection, shared by every run: opened on first use, opened anew after it broke. */
export class SharedConnection {
  readonly #server: ServerDefinition;
  readonly #user: User;
  readonly #options: OpenOptions;
  readonly #calls = new Set<ToolCallOptions>();
  #open: Promise<OpenConnection> | undefined;
  #current: OpenConnection | undefined;
  #closed = false;
  #isRetired = false;

  constructor(server: ServerDefinition, user: User, options: OpenOptions) {
    this.#server = server;
    this.#user = user;
    this.#options = options;
  }

  get idle(): boolean {
    return this.#calls.size === 0;
  }

  async call(tool: string, args: Readonly<Record<string, unknown>>, options: ToolCallOptions): Promise<CallToolResult> {
    // Every call under way listens to its run's signal; a warning about that would be noise.
    setMaxListeners(0, options.signal);
    const call = { ...options };
    this.#calls.add(call);
    try {
      return await this.#attempt(tool, args, options, true);
    } finally {
      this.#calls.delete(call);
      if (this.#isRetired) this.retire();
    }
  }

  /** Closes as soon as nobody waits for an answer any more. */
  retire(): void {
    this.#isRetired = true;
    if (this.idle) void this.close();
  }

  async listTools(signal?: AbortSignal): Promise<readonly Tool[]> {
    const connection = await this.#connect(signal);
    try {
      const timeout = this.#server.timeoutMs ?? this.#options.startTimeoutMs;
      const { tools } = await connection.client.listTools(undefined, { timeout, ...(signal ? { signal } : {}) });
      return tools;
    } catch (error) {
      throw this.#explain(error, connection, 0, { tool: 'tools/list', ...(signal ? { signal } : {}) });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const opening = this.#open;
    this.#open = undefined;
    const connection = await opening?.catch(() => undefined);
    await connection?.client.close().catch(() => {});
  }

  async #attempt(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: ToolCallOptions,
    mayReconnect: boolean,
  ): Promise<CallToolResult> {
    const { signal } = options;
    const opening = this.#open;
    const connection = await this.#connect(signal);
    const timeoutMs = options.timeoutMs ?? this.#server.timeoutMs;
    const position = connection.stderr.position;
    const params = { name: tool, arguments: { ...args }, ...(options.meta ? { _meta: { ...options.meta } } : {}) };
    const requestOptions: RequestOptions = {
      signal,
      timeout: Math.min(timeoutMs ?? noTimeout, noTimeout),
    };
    const { onProgress } = options;
    if (onProgress) {
      requestOptions.onprogress = ({ progress, total, message }) =>
        onProgress({
          progress,
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { message }),
        });
    }
    try {
      if (connection.client.getProtocolEra() === 'modern')
        return await connection.client.callTool(params, requestOptions);
      // Not `callTool`: that checks results only when the tools happen to have been listed before.
      return (await connection.client.request({ method: 'tools/call', params }, requestOptions)) as CallToolResult;
    } catch (error) {
      if (neverArrived(error)) {
        this.#forget(connection);
        // The connection was dead before this call, so trying again cannot do anything twice.
        if (mayReconnect && opening !== undefined) return this.#attempt(tool, args, options, false);
      }
      if (isTimeout(error) && !signal.aborted) void this.#checkAlive(connection);
      throw this.#explain(error, connection, position, { tool, signal, timeoutMs });
    }
  }

  #explain(
    error: unknown,
    connection: OpenConnection,
    position: number,
    about: { tool: string; signal?: AbortSignal; timeoutMs?: number | undefined },
  ): ToolCallFailure {
    const stderr = connection.stderr.since(position);
    return toFailure(error, { server: this.#server, ...about, stderr, ending: connection.ending() });
  }

  /** Waits for the shared connection, but no longer than the caller wants to. */
  async #connect(signal: AbortSignal | undefined): Promise<OpenConnection> {
    if (this.#closed) throw toFailure(new Error('the engine is closed'), { server: this.#server });
    const { missing, name } = this.#server;
    if (missing.length > 0) {
      const message = `The MCP server "${name}" needs the environment variable ${missing.join(', ')}, which is not set`;
      throw new ToolCallFailure('SERVER_UNAVAILABLE', message, { rpcCode: -32_000 });
    }
    this.#open ??= this.#start();
    const opening = this.#open;
    if (!signal) return opening;
    if (signal.aborted) throw toFailure(signal.reason, { server: this.#server, signal });
    let stop = () => {};
    const aborted = new Promise<never>((_resolve, reject) => {
      stop = () => reject(toFailure(signal.reason, { server: this.#server, signal }));
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([opening, aborted]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #start(): Promise<OpenConnection> {
    try {
      const connection = await openConnection(this.#server, this.#user, this.#options, (client) => {
        try {
          client.setRequestHandler('elicitation/create', (request) => this.#elicit(request.params));
        } catch {
          // A client that was connected without elicitation: the server will not ask.
        }
      });
      connection.client.onclose = () => this.#forget(connection);
      this.#current = connection;
      return connection;
    } catch (error) {
      this.#open = undefined;
      const { cause, stderr, ending } =
        error instanceof StartError ? error : { cause: error, stderr: [], ending: undefined };
      throw toFailure(cause, { server: this.#server, stderr, ending });
    }
  }

  #forget(connection: OpenConnection): void {
    if (this.#current === connection) {
      this.#current = undefined;
      this.#open = undefined;
    }
    void connection.client.close().catch(() => {});
  }

  /** A server that is silent even to a ping, with nobody else waiting for it, is replaced. */
  async #checkAlive(connection: OpenConnection): Promise<void> {
    if (this.#server.type !== 'stdio') return;
    try {
      await connection.client.ping({ timeout: pingTimeoutMs });
    } catch {
      if (this.idle) this.#forget(connection);
    }
  }

  /** A question does not say which call it belongs to, so it is passed on only where one person waits. */
  async #elicit(request: ElicitRequestParams): Promise<ElicitResult> {
    const people = new Set(Array.from(this.#calls, ({ user }) => user?.id));
    const call = Array.from(this.#calls).findLast(({ onElicit }) => onElicit);
    if (people.size !== 1 || !call?.onElicit) return { action: 'cancel' };
    return call.onElicit(request);
  }
}

function neverArrived(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.data.status === 404;
  if (error instanceof SdkError) return error.code === SdkErrorCode.NotConnected;
  return error instanceof Error && error.message === 'Not connected';
}

function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}
