import { resolve } from 'node:path';
import type { Implementation } from '@modelcontextprotocol/server';
import { Command, Option } from 'commander';
import type { Toolset } from '../../kit/index.ts';
import type { Graphs } from '../../graph/open-graphs.ts';
import type { LogLevel } from '../../server/log.ts';
import { openGraph } from './open.ts';

interface ServeFlags {
  graph: string;
  mcp?: string;
  data?: string;
  allowExec?: boolean;
  logLevel: LogLevel;
}

export function createServeCommand(): Command {
  return withFlags(new Command('serve'))
    .description("Serve a graph's tools over stdin and stdout. A change of the file is followed at once.")
    .addHelpText('after', '\nExample:\n  $ waymark graph serve -g flow.yaml -m servers.json\n')
    .action((flags: ServeFlags) =>
      serve(flags, (graphs, name) => {
        const served = graphs.served(name);
        return { toolset: served.toolset, info: () => served.info() };
      }),
    );
}

export function createToolkitCommand(): Command {
  return withFlags(new Command('toolkit'))
    .description('Serve the tools an agent builds graphs with, over stdin and stdout.')
    .option('--allow-exec', 'let what is written name commands the file did not')
    .addHelpText('after', '\nExample:\n  $ waymark graph toolkit -g flow.yaml -m servers.json\n')
    .action(async (flags: ServeFlags) => {
      const { createToolkit } = await import('../../graph/toolkit/toolkit.ts');
      await serve(flags, ({ library, runs, caller }, graph) => ({
        toolset: createToolkit({ library, runs, caller, graph, hasMcpFile: flags.mcp !== undefined }),
        info: () => ({ name: 'waymark-graph-toolkit', title: 'Waymark graph toolkit', version: '1.0.0' }),
      }));
    });
}

function withFlags(command: Command): Command {
  return command
    .requiredOption('-g, --graph <file>', 'the graph file')
    .option('-m, --mcp <file>', 'a file with further "mcpServers"')
    .option('--data <dir>', 'keep the history of runs in the store of this directory')
    .addOption(new Option('--log-level <level>').choices(['debug', 'info', 'warn', 'error', 'silent']).default('warn'));
}

interface Offered {
  readonly toolset: Toolset;
  info(): Implementation;
}

async function serve(flags: ServeFlags, offer: (graphs: Graphs, name: string) => Offered): Promise<void> {
  await openGraph(flags.graph, flags.mcp === undefined ? {} : { mcp: flags.mcp });
  const [{ openGraphs }, { createHost, createRoots }, { createLogger }, { createServices }, { startStdio }, own, wait] =
    await Promise.all([
      import('../../graph/open-graphs.ts'),
      import('../../kit/index.ts'),
      import('../../server/log.ts'),
      import('../../server/services.ts'),
      import('../../server/stdio.ts'),
      import('./own-toolsets.ts'),
      import('../until-signal.ts'),
    ]);
  const log = createLogger(flags.logLevel);
  const stopped = Promise.race([untilStdinEnds(), wait.untilSignal()]);
  const toolsets = own.ownToolsets(flags.data);
  const services =
    flags.data === undefined
      ? undefined
      : createServices({
          dataDirectory: resolve(flags.data),
          databaseUrl: process.env['DATABASE_URL'],
          roots: await createRoots([process.cwd()]),
          log,
        });
  const graphs = await openGraphs({
    files: [flags.graph],
    mcpFile: flags.mcp,
    allowExec: flags.allowExec ?? false,
    connectToolset: toolsets.connect,
    store: services && (() => services.store()),
    log,
  });
  const [entry] = graphs.library.list();
  const { toolset, info } = offer(graphs, entry?.name ?? '');
  const server = startStdio({
    toolsets: [toolset],
    host: createHost({ info: info(), log }),
    selection: {},
    user: { id: 'local', scopes: 'all' },
    conversation: 'stdio',
  });
  await stopped;
  await server.close();
  await graphs.close();
  await toolsets.close();
  await services?.close();
}

function untilStdinEnds(): Promise<void> {
  return new Promise((ended) => {
    process.stdin.once('end', ended);
    process.stdin.once('close', ended);
  });
}
