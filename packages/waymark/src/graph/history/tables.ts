/** The tables of `0400-graph`. Columns named `input`, `result`, `error` and `data` hold packed JSON text. */
export type GraphTables = {
  graph_definitions: { hash: string; name: string; source: string; kept_at: Date };
  graph_processes: { id: string; host: string; pid: number; started: string; seen_at: Date };
  graph_runs: {
    id: string;
    user_id: string;
    graph: string;
    tool: string;
    graph_hash: string;
    mode: string;
    status: string;
    process: string | null;
    input: string;
    result: string | null;
    error: string | null;
    forked_from: string | null;
    fork_seq: number | null;
    node_executions: number;
    started_at: Date;
    ended_at: Date | null;
    duration_us: number | null;
  };
  graph_events: {
    run_id: string;
    seq: number;
    type: string;
    node: string | null;
    path: string | null;
    at: Date;
    data: string;
  };
  graph_blobs: { hash: string; value: string; kept_at: Date };
};
