import type { Breakpoint, DebugOptions, NodeRecord, RunHandle, RunHooks } from '../engine.ts';
import type { RunStatus } from '../events.ts';
import { stateAt } from '../interpreter/fold.ts';
import { toException } from './errors.ts';
import type {
  DataContext,
  ExecutionController,
  ExecutionOptions,
  ExecutionState,
  ExecutionStatus,
  NodeExecutionRecord,
} from './types.ts';

const statuses: Record<RunStatus, ExecutionStatus> = {
  running: 'running',
  paused: 'paused',
  succeeded: 'finished',
  failed: 'error',
  cancelled: 'stopped',
  stopped: 'stopped',
  interrupted: 'error',
};

export function toRecord(record: NodeRecord, run: string): NodeExecutionRecord {
  return {
    executionIndex: record.index,
    nodeId: record.node,
    nodeType: record.nodeType,
    path: record.path,
    startTime: record.startedAt,
    endTime: record.endedAt,
    duration: record.durationUs / 1000,
    output: record.error && record.output === undefined ? null : record.output,
    ...(record.error ? { error: toException(record.error, run) } : {}),
  };
}

/** The outputs of a run, with those of any earlier point folded from its events. */
export function contextOf(handle: RunHandle): DataContext {
  const history = () => handle.view().history.map((record) => toRecord(record, handle.id));
  return {
    getData: () => ({ ...handle.view().context }),
    getHistory: history,
    getExecutionByIndex: (index) => history()[index],
    getContextForExecution(index) {
      const record = handle.view().history[index];
      const tool = handle.document.tools.get(handle.tool);
      if (!record || !tool) return null;
      if (index === 0) return {};
      const state = stateAt(handle.document, tool, handle.events(), index - 1);
      const scope = state.tokens.get(record.path)?.scope ?? state.root;
      return { ...scope?.context };
    },
  };
}

export function createController(handle: RunHandle): ExecutionController {
  const { debugger: control } = handle;
  return {
    pause: () => control.pause(),
    resume: () => control.resume(),
    step: () => control.step(),
    runTo: (node) => control.runTo(node),
    stop: () => control.stop(),
    getState: () => stateOf(handle),
    setBreakpoints: (breakpoints) => control.setBreakpoints(breakpoints.map(toBreakpoint)),
    clearBreakpoints: () => control.setBreakpoints([]),
    getBreakpoints: () => control.breakpoints().map(({ node }) => node),
    evaluate: (expression, index) => control.evaluate(expression, index),
    setValue: (node, value) => control.setValue(node, value),
  };
}

function stateOf(handle: RunHandle): ExecutionState {
  const view = handle.view();
  const ended = handle.events().findLast((event) => event.type === 'run-ended');
  const isOver = view.status !== 'running' && view.status !== 'paused';
  return {
    status: statuses[view.status],
    currentNodeId: isOver ? null : (view.currentNode ?? null),
    executionHistory: view.history.map((record) => toRecord(record, handle.id)),
    context: contextOf(handle),
    ...(ended?.error ? { error: toException(ended.error, handle.id) } : {}),
  };
}

export function toBreakpoint(breakpoint: string | { node: string; condition: string }): Breakpoint {
  return typeof breakpoint === 'string' ? { node: breakpoint } : breakpoint;
}

/** Whether a run is to be watched at all; only then has it a controller. */
export function isDebugged(options: ExecutionOptions): boolean {
  return Boolean(options.hooks ?? options.startPaused) || (options.breakpoints?.length ?? 0) > 0;
}

export function toDebugOptions(options: ExecutionOptions, run: string): DebugOptions {
  return {
    startPaused: options.startPaused ?? false,
    breakpoints: (options.breakpoints ?? []).map(toBreakpoint),
    ...(options.hooks ? { hooks: toHooks(options.hooks, run) } : {}),
  };
}

function toHooks(hooks: NonNullable<ExecutionOptions['hooks']>, run: string): RunHooks {
  return {
    nodeStarting: ({ index, node, context }) => hooks.onNodeStart?.(index, node.id, node, { ...context }),
    nodeEnded: ({ node, context }, record) =>
      hooks.onNodeComplete?.(record.index, node.id, node, { ...context }, record.output, record.durationUs / 1000),
    nodeFailed: ({ node, context }, record) => {
      if (record.error)
        return hooks.onNodeError?.(record.index, node.id, node, toException(record.error, run), { ...context });
    },
    paused: ({ index, node, context }) => hooks.onPause?.(index, node.id, { ...context }),
    resumed: () => hooks.onResume?.(),
  };
}
