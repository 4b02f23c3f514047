import type { Command } from 'commander';

export interface CommandEntry {
  readonly summary: string;
  /** Loads only what the command line itself needs; the heavy parts load inside its action. */
  readonly load: () => Promise<{ createCommand(): Command }>;
}

/** Every command of `waymark`, in the order of the help. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  serve: { summary: 'run the server: MCP over HTTP, REST and the studio', load: () => import('./serve.ts') },
  mcp: { summary: 'serve toolsets over stdin and stdout', load: () => import('./mcp.ts') },
  sop: { summary: 'check, test and inspect procedures', load: () => import('./sop.ts') },
  chat: { summary: 'talk to the task agent', load: () => import('./chat.ts') },
  eval: { summary: 'play scenario files against the task agent', load: () => import('./eval.ts') },
  tasks: { summary: 'tasks on the command line', load: () => import('./tasks.ts') },
  graph: { summary: 'run, check, test, draw and serve graphs of MCP tools', load: () => import('./graph.ts') },
  hnpx: { summary: 'check, read, export and convert HNPX books', load: () => import('./hnpx.ts') },
  sage: { summary: 'learn with the tutor; packs, export and flash cards', load: () => import('./sage.ts') },
  tokens: { summary: 'personal access tokens for scripts', load: () => import('./tokens.ts') },
  audit: { summary: 'who did what, when and from where', load: () => import('./audit.ts') },
  users: { summary: 'add, list and remove users', load: () => import('./users.ts') },
  data: { summary: 'export and import everything in the store', load: () => import('./data.ts') },
  doctor: { summary: 'check this machine and say what to do', load: () => import('./doctor.ts') },
};
