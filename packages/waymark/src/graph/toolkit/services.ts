import type { ToolCaller } from '../connections/connection.ts';
import type { GraphLibrary } from '../library.ts';
import type { GraphRuns } from '../runs.ts';

export interface ToolkitServices {
  readonly library: GraphLibrary;
  readonly runs: GraphRuns;
  readonly caller: ToolCaller;
  /** The graph that is built. */
  readonly graph: string;
  /** Whether servers to choose from were named with `-m`. */
  readonly hasMcpFile: boolean;
}
