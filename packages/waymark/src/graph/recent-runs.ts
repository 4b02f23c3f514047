import type { RunHandle } from './engine.ts';
import type { RunEvent, RunStarted } from './events.ts';
import type { RunDetails, RunExport, RunFilter, RunPage } from './history/history.ts';

const maxRuns = 100;

interface Remembered {
  readonly handle: RunHandle;
  readonly user: string;
}

/** The latest runs of a process that has no store, newest first. */
export class RecentRuns {
  #runs: Remembered[] = [];

  add(handle: RunHandle, user: string): void {
    this.#runs = [{ handle, user }, ...this.#runs].slice(0, maxRuns);
  }

  list(filter: RunFilter): RunPage {
    const { since, until, status, graph, tool, limit = 50, cursor } = filter;
    const all = this.#runs.filter(({ user }) => user === filter.user).map(describe);
    const first = cursor === undefined ? 0 : all.findIndex(({ run }) => run === cursor) + 1;
    const fitting = all.slice(first).filter((run) => {
      const startedAt = new Date(run.startedAt);
      return (
        (graph === undefined || run.graph === graph) &&
        (tool === undefined || run.tool === tool) &&
        (!status?.length || status.includes(run.status)) &&
        (since === undefined || startedAt >= since) &&
        (until === undefined || startedAt < until)
      );
    });
    const page = fitting.slice(0, limit).map(({ input: _input, result: _result, ...summary }) => summary);
    const last = page.at(-1);
    return { runs: page, ...(last && fitting.length > limit ? { next: last.run } : {}) };
  }

  get(run: string, user: string): RunDetails | undefined {
    const found = this.#find(run, user);
    return found && describe(found);
  }

  events(run: string, user: string): readonly RunEvent[] | undefined {
    return this.#find(run, user)?.handle.events();
  }

  export(run: string, user: string): RunExport | undefined {
    const found = this.#find(run, user);
    if (!found) return undefined;
    const { handle } = found;
    return { format: 'waymark-run/1', run: describe(found), source: handle.document.source, events: handle.events() };
  }

  delete(run: string, user: string): boolean {
    const before = this.#runs.length;
    this.#runs = this.#runs.filter(({ handle, user: owner }) => handle.id !== run || owner !== user);
    return this.#runs.length < before;
  }

  #find(run: string, user: string): Remembered | undefined {
    return this.#runs.find(({ handle, user: owner }) => handle.id === run && owner === user);
  }
}

function describe({ handle, user }: Remembered): RunDetails {
  const events = handle.events();
  const started = events.find((event): event is RunStarted => event.type === 'run-started');
  const ended = events.findLast((event) => event.type === 'run-ended');
  const at = (time: number) => new Date(time).toISOString();
  return {
    run: handle.id,
    user,
    graph: handle.document.server.name,
    tool: handle.tool,
    graphHash: handle.document.hash,
    mode: started?.mode ?? 'inline',
    status: ended?.status ?? handle.view().status,
    startedAt: at(started?.at ?? 0),
    ...(ended ? { endedAt: at(ended.at), durationMs: ended.durationUs / 1000 } : {}),
    nodeExecutions: ended?.nodeExecutions ?? events.filter(({ type }) => type === 'node-ended').length,
    ...(ended?.error ? { error: ended.error } : {}),
    ...(started?.forkedFrom ? { forkedFrom: started.forkedFrom } : {}),
    input: started?.input ?? {},
    ...(ended?.result === undefined ? {} : { result: ended.result }),
  };
}
