import { randomUUID } from 'node:crypto';
import { OutputCache } from '../cache.ts';
import type { ToolCaller } from '../connections/connection.ts';
import type { GraphEngine, RunHandle, RunRequest } from '../engine.ts';
import { InlineRun } from './run.ts';
import type { EngineServices } from './services.ts';

export interface EngineOptions {
  /** Reaches the servers of `mcp` nodes; without it only graphs that call none can run. */
  readonly caller?: ToolCaller;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly newRunId?: () => string;
}

/** An engine whose runs live in this process. */
export function createInlineEngine(options: EngineOptions = {}): GraphEngine {
  const { caller, now = Date.now, random = Math.random, newRunId = randomUUID } = options;
  const services: EngineServices = { caller, now, random, cache: new OutputCache() };
  const active = new Map<string, InlineRun>();
  return {
    start(request: RunRequest): RunHandle {
      const run = new InlineRun(request, request.run ?? newRunId(), services);
      active.set(run.id, run);
      void run.outcome.then(() => active.delete(run.id));
      run.start();
      return run;
    },
    get: (run) => active.get(run),
    active: () => [...active.values()],
    async close() {
      const runs = [...active.values()];
      for (const run of runs) run.cancel('The engine is closing');
      await Promise.all(runs.map((run) => run.outcome));
    },
  };
}
