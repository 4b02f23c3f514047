import type { Implementation } from '@modelcontextprotocol/server';
import { Command, Option } from 'commander';
import type { Graphs } from '../../graph/open-graphs.ts';
import type { Toolset } from '../../kit/index.ts';
import type { LogLevel } from '../../server/log.ts';
import { openGraph } from './open.ts';

interface ServeFlags {
  graph: string;
  mcp?: string;
  data?: string;
  user: string;
  watch: boolean;
  logLevel: LogLevel;
}

interface Served {
  readonly toolset: Toolset;
  readonly info: Implementation;
}

const serveExamples = `
Examples:
  $ waymark graph serve -g flow.yaml
  $ waymark graph serve -g flow.yaml -m servers.json --data .waymark

The tools follow the file: save it, and clients are told. A file with mistakes leaves the last good version served.
`;

const toolkitExamples = `
Example:
  $ waymark graph toolkit -g flow.yaml -m servers.json
`;

export function createServeCommand(): Command {
  return withCommonOptions(new Command('serve'), 'the graph file')
    .description("Serve a graph's tools over stdin and stdout.")
    .addHelpText('after', serveExamples)
    .action((flags: ServeFlags) =>
      serve(flags, async (graphs, name) => {
        const { toolset, info } = graphs.served(name);
        return { toolset, info: info() };
      }),
    );
}

export function createToolkitCommand(): Command {
  return withCommonOptions(new Command('toolkit'), 'the graph file to build')
    .description('Serve the tools an agent builds graphs with, over stdin and stdout.')
    .addHelpText('after', toolkitExamples)
    .action((flags: ServeFlags) =>
      serve(flags, async (graphs, graph) => {
        const [{ createToolkit }, { version }] = await Promise.all([
          import('../../graph/toolkit/toolkit.ts'),
          import('../../server/version.ts'),
        ]);
        const toolset = createToolkit({ ...graphs, graph, hasMcpFile: flags.mcp !== undefined });
        return { toolset, info: { name: 'waymark-graph-toolkit', version, title: toolset.title } };
      }),
    );
}

function withCommonOptions(command: Command, what: string): Command {
  return command
    .requiredOption('-g, --graph <file>', what)
    .option('-m, --mcp <file>', 'a file with further "mcpServers"')
    .option('--data <dir>', 'keep the history of runs in this directory')
    .option('--user <id>', 'on whose behalf it runs', 'local')
    .option('--no-watch', 'do not follow changes of the file')
    .addOption(new Option('--log-level <level>').choices(['debug', 'info', 'warn', 'error', 'silent']).default('warn'));
}

/** Serves until the client goes away or a signal comes, then ends every process it has started. */
async function serve(flags: ServeFlags, choose: (graphs: Graphs, name: string) => Promise<Served>): Promise<void> {
  await openGraph(flags.graph, flags);
  const [{ openGraphs }, { createHost }, { createLogger }, { startStdio }, { untilDone }] = await Promise.all([
    import('../../graph/open-graphs.ts'),
    import('../../kit/index.ts'),
    import('../../server/log.ts'),
    import('../../server/stdio.ts'),
    import('./until-done.ts'),
  ]);
  const done = untilDone();
  const log = createLogger(flags.logLevel);
  const own = lazily(async () => (await import('./own-toolsets.ts')).openOwnToolsets());
  const store = lazily(() => openStore(flags.data ?? ''));
  const graphs = await openGraphs({
    files: [flags.graph],
    mcpFile: flags.mcp,
    watch: flags.watch,
    log,
    ...(flags.data === undefined ? {} : { store: store.get }),
    connectToolset: async (...parts) => (await own.get()).connect(...parts),
  });
  const [entry] = graphs.library.list();
  const { toolset, info } = await choose(graphs, entry?.name ?? '');
  const server = startStdio({
    toolsets: [toolset],
    host: createHost({ info, log }),
    selection: {},
    user: { id: flags.user, scopes: 'all' },
    conversation: `stdio-${process.pid}`,
  });
  await done;
  await server.close();
  await graphs.close();
  await (await own.opened())?.close();
  await (await store.opened())?.close();
}

async function openStore(dataDirectory: string) {
  const [{ openStore: open }, { mkdir }] = await Promise.all([
    import('../../store/index.ts'),
    import('node:fs/promises'),
  ]);
  await mkdir(dataDirectory, { recursive: true });
  return open({ url: process.env['DATABASE_URL'], dataDirectory });
}

function lazily<T>(open: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  return {
    get: () => (opening ??= open()),
    opened: async () => opening?.catch(() => undefined),
  };
}
