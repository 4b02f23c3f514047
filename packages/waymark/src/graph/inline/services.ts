import type { OutputCache } from '../cache.ts';
import type { ToolCaller } from '../connections/connection.ts';

/** What the runs of an engine share. */
export interface EngineServices {
  readonly caller: ToolCaller | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: () => number;
  readonly cache: OutputCache;
}
