import { Command, Option } from 'commander';
import type { Selection } from '../kit/index.ts';
import { type ClientConfigOptions, clientNames, configFileOf, renderClientConfig } from './client-config.ts';
import { parseList } from './serve.ts';
import { sopConfigOf, type SopFlags, withSopOptions } from './sop-options.ts';

interface McpFlags extends SopFlags {
  data?: string;
  root: string[];
  graph?: string[];
  sop?: string[];
  user: string;
  tools?: string[];
  excludeTools?: string[];
  readOnly?: boolean;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

const examples = `
Examples:
  $ waymark mcp                                  the core tools of every toolset
  $ waymark mcp sop tasks                        all tools of two toolsets
  $ waymark mcp hnpx --root ~/books --read-only
  $ waymark mcp config --client vscode           print the configuration for a client
`;

export function createCommand(): Command {
  const command = new Command('mcp')
    .description('Serve toolsets over stdin and stdout, for desktop hosts and scripts.')
    .argument('[toolsets...]', 'toolsets to serve with all their tools (default: the core of all)')
    .option('--data <dir>', 'directory of the embedded store (default: $WAYMARK_DATA or .waymark)')
    .option('--root <dir...>', 'directories that file tools may reach', ['.'])
    .option('--graph <file...>', 'graph files whose tools the graph toolset runs')
    .option('--sop <file...>', 'standard operating procedures to offer by name, with the tools they gate')
    .option('--user <id>', 'whose tasks, books and learning this serves', 'local')
    .option('--tools <names>', 'serve only these tools', parseList)
    .option('--exclude-tools <names>', 'never serve these tools', parseList)
    .option('--read-only', 'serve only tools that change nothing')
    .addOption(new Option('--log-level <level>').choices(['debug', 'info', 'warn', 'error', 'silent']).default('warn'))
    .addHelpText('after', examples)
    .action(run);
  command.addCommand(createConfigCommand());
  return withSopOptions(command);
}

async function run(names: string[], flags: McpFlags): Promise<void> {
  const [{ requireDirectory, requireFile, requireToolset }, { runStdioServer }] = await Promise.all([
    import('./require.ts'),
    import('./run-stdio.ts'),
  ]);
  const { selectionOfEnvironment } = await import('../server/selection.ts');
  for (const name of names) requireToolset(name);
  for (const root of flags.root) requireDirectory(root);
  for (const file of [...(flags.graph ?? []), ...(flags.sop ?? [])]) requireFile(file);
  const environment = selectionOfEnvironment(process.env);
  const toolsets = names.length > 0 ? names : environment.toolsets;
  const selection: Selection = {
    tools: flags.tools ?? environment.tools,
    excludeTools: flags.excludeTools ?? environment.excludeTools,
    readOnly: flags.readOnly === true || environment.readOnly === true,
    tier: toolsets ? 'all' : 'core',
  };
  await runStdioServer({ ...flags, toolsets, selection, sopRules: sopConfigOf(flags) });
}

function createConfigCommand(): Command {
  return new Command('config')
    .description('Print the configuration that connects a client to Waymark.')
    .addOption(new Option('--client <name>', 'the client').choices(clientNames).makeOptionMandatory())
    .option('--url <url>', 'connect to a running server instead of starting one')
    .option('--toolsets <names>', 'only these toolsets', parseList)
    .option('--data <dir>', 'directory of the embedded store', process.env['WAYMARK_DATA'] ?? '.waymark')
    .option('--root <dir...>', 'directories that file tools may reach', ['.'])
    .addHelpText('after', '\nExample:\n  $ waymark mcp config --client claude --toolsets sop,tasks\n')
    .action((flags: ClientConfigOptions) => {
      process.stderr.write(`For ${configFileOf(flags.client)}:\n`);
      process.stdout.write(renderClientConfig(flags));
    });
}
