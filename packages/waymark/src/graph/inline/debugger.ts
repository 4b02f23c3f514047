import { compileExpression } from '../expressions/jsonata.ts';
import { type ExpressionScope } from '../expressions/scope.ts';
import type { Breakpoint, DebugOptions, NodeMoment, RunDebugger } from '../engine.ts';
import type { RunPaused, RunStatus } from '../events.ts';
import type { Token } from '../interpreter/state.ts';

/** What the debugger needs of the run it holds. */
export interface Debugged {
  status(): RunStatus;
  momentOf(token: Token): NodeMoment;
  paused(token: Token, reason: RunPaused['reason']): void;
  resumed(): void;
  stop(): void;
  setValue(node: string, value: unknown, path: string): void;
  scopeAt(index: number | undefined, token: Token | undefined): ExpressionScope;
}

type Mode = 'run' | 'pause' | 'step' | 'stopped';

/** Holds a run before its nodes. */
export class InlineDebugger implements RunDebugger {
  readonly #run: Debugged;
  readonly #options: DebugOptions;
  #breakpoints: readonly Breakpoint[];
  #mode: Mode;
  #target: string | undefined;
  #reason: RunPaused['reason'] = 'pause';
  #held: { token: Token; release: () => void } | undefined;
  #waiting: ((status: RunStatus) => void)[] = [];

  constructor(run: Debugged, options: DebugOptions = {}) {
    this.#run = run;
    this.#options = options;
    this.#breakpoints = options.breakpoints ?? [];
    this.#mode = options.startPaused ? 'pause' : 'run';
    if (options.startPaused) this.#reason = 'start';
  }

  /** Whether nodes can just be run: nobody watches and nothing could hold them. */
  get isIdle(): boolean {
    return this.#mode === 'run' && this.#target === undefined && this.#breakpoints.length === 0 && !this.#options.hooks;
  }

  get isPaused(): boolean {
    return this.#held !== undefined;
  }

  /** Resolves when the node may start. */
  async before(token: Token): Promise<void> {
    const reason = await this.#reasonToPause(token);
    if (reason) await this.#hold(token, reason);
    const moment = this.#run.momentOf(token);
    const goesOn = await ignoreErrors(() => this.#options.hooks?.nodeStarting?.(moment));
    if (goesOn === false && this.#run.status() === 'running') await this.#hold(token, 'breakpoint');
  }

  async #reasonToPause(token: Token): Promise<RunPaused['reason'] | undefined> {
    if (this.#mode === 'pause') return this.#reason;
    if (this.#mode === 'step') return 'step';
    const { id } = token.node;
    if (this.#target === id) return 'step';
    for (const { node, condition } of this.#breakpoints) {
      if (node !== id) continue;
      if (condition === undefined || (await holds(condition, token.view))) return 'breakpoint';
    }
    return undefined;
  }

  async #hold(token: Token, reason: RunPaused['reason']): Promise<void> {
    if (this.#mode === 'stopped') return;
    this.#target = undefined;
    this.#mode = 'pause';
    const released = new Promise<void>((release) => (this.#held = { token, release }));
    this.#run.paused(token, reason);
    await ignoreErrors(() => this.#options.hooks?.paused?.(this.#run.momentOf(token)));
    this.#notify('paused');
    await released;
    if (this.#run.status() !== 'running') return;
    await ignoreErrors(() => this.#options.hooks?.resumed?.());
  }

  pause(): void {
    this.#require('pause', 'running');
    this.#mode = 'pause';
    this.#reason = 'pause';
  }

  resume(): void {
    this.#require('resume', 'paused');
    this.#release('run');
  }

  step(): Promise<void> {
    this.#require('step', 'paused');
    return this.#releaseAndWait('step');
  }

  runTo(node: string): Promise<void> {
    this.#require('run to a node', 'paused');
    this.#target = node;
    return this.#releaseAndWait('run');
  }

  stop(): void {
    this.#require('stop', 'running', 'paused');
    this.#mode = 'stopped';
    this.#run.stop();
  }

  setBreakpoints(breakpoints: readonly Breakpoint[]): void {
    this.#breakpoints = [...breakpoints];
  }

  breakpoints(): readonly Breakpoint[] {
    return this.#breakpoints;
  }

  async evaluate(expression: string, at?: number): Promise<unknown> {
    return await compileExpression(expression).evaluate(this.#run.scopeAt(at, this.#held?.token));
  }

  setValue(node: string, value: unknown): void {
    this.#require('change a value', 'paused');
    this.#run.setValue(node, value, this.#held?.token.path ?? '');
  }

  settled(): Promise<RunStatus> {
    const status = this.#run.status();
    if (status !== 'running') return Promise.resolve(status);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The run is over: whoever waits is told, and a node that is held is let go. */
  ended(status: RunStatus): void {
    const held = this.#held;
    this.#held = undefined;
    held?.release();
    this.#notify(status);
  }

  #notify(status: RunStatus): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const tell of waiting) tell(status);
  }

  async #releaseAndWait(mode: Mode): Promise<void> {
    const settled = new Promise<RunStatus>((resolve) => this.#waiting.push(resolve));
    this.#release(mode);
    await settled;
  }

  #release(mode: Mode): void {
    const held = this.#held;
    this.#held = undefined;
    this.#mode = mode;
    this.#run.resumed();
    held?.release();
  }

  #require(action: string, ...allowed: RunStatus[]): void {
    const status = this.#run.status();
    if (!allowed.includes(status)) throw new Error(`Cannot ${action}: execution status is "${peerStatus(status)}"`);
  }
}

function peerStatus(status: RunStatus): string {
  return status === 'succeeded' ? 'finished' : status === 'failed' ? 'error' : status;
}

/** A condition that cannot be evaluated pauses: better to look at it than to run past. */
async function holds(condition: string, scope: ExpressionScope): Promise<boolean> {
  try {
    return Boolean(await compileExpression(condition).evaluate(scope));
  } catch {
    return true;
  }
}

export async function ignoreErrors<T>(hook: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await hook();
  } catch {
    return undefined;
  }
}
