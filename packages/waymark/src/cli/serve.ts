import { Command, InvalidArgumentError, Option } from 'commander';
import type { ConfigInput } from '../server/config.ts';
import { CliError } from './cli-error.ts';
import { sopConfigOf, type SopFlags, withSopOptions } from './sop-options.ts';

interface ServeFlags extends SopFlags {
  config?: string;
  port?: number;
  host?: string;
  data?: string;
  root?: string[];
  graph?: string[];
  sop?: string[];
  auth?: 'none' | 'embedded' | 'external';
  toolsets?: string[];
  tools?: string[];
  excludeTools?: string[];
  readOnly?: boolean;
  allowExec?: boolean;
  publicUrl?: string;
  model?: string;
  logLevel?: NonNullable<ConfigInput['logLevel']>;
}

const examples = `
Examples:
  $ waymark serve                                   everything, at http://127.0.0.1:4840
  $ waymark serve --port 0 --toolsets sop,tasks     a free port, two toolsets
  $ waymark serve --read-only                       only tools that change nothing
  $ waymark serve --graph examples/graphs/collatz.yaml
  $ waymark serve --host 0.0.0.0 --auth embedded --public-url https://waymark.example.com
`;

export function createCommand(): Command {
  const command = new Command('serve')
    .description('Run the server: MCP over HTTP, REST and the studio.')
    .option('--config <file>', 'read settings from a file (default: waymark.yaml, if there is one)')
    .option('--port <number>', 'port to listen on, 0 for a free one (default: 4840)', parsePort)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--data <dir>', 'directory of the embedded store (default: $WAYMARK_DATA or .waymark)')
    .option('--root <dir...>', 'directories that file tools may reach (default: the current one)')
    .option('--graph <file...>', 'graph files to serve')
    .option('--sop <file...>', 'standard operating procedures to offer')
    .addOption(new Option('--auth <mode>', 'who checks identities').choices(['none', 'embedded', 'external']))
    .option('--public-url <url>', 'the address clients use')
    .option('--toolsets <names>', 'serve only these toolsets', parseList)
    .option('--tools <names>', 'serve only these tools', parseList)
    .option('--exclude-tools <names>', 'never serve these tools', parseList)
    .option('--read-only', 'serve only tools that change nothing')
    .option('--allow-exec', 'run commands from graph files the operator did not name')
    .option('--model <provider/name>', 'language model (default: $WAYMARK_MODEL, else the offline model)')
    .addOption(new Option('--log-level <level>').choices(['debug', 'info', 'warn', 'error', 'silent']))
    .addHelpText('after', examples)
    .action(run);
  return withSopOptions(command);
}

async function run(flags: ServeFlags): Promise<void> {
  const { resolveConfig } = await import('./resolve-config.ts');
  const { createLogger } = await import('../server/log.ts');
  const { startServer, StartError } = await import('../server/serve.ts');
  const { untilSignal } = await import('./until-signal.ts');

  const { config: file, root, graph, sop, auth, sopUrls, gate, navigation, ...rest } = flags;
  const config = await resolveConfig(file, {
    ...rest,
    ...(root ? { roots: root } : {}),
    ...(graph ? { graphs: graph } : {}),
    ...(sop ? { sops: sop } : {}),
    ...(auth ? { auth: { mode: auth } } : {}),
    sop: sopConfigOf({ sopUrls, gate, navigation }),
  });
  const log = createLogger(config.logLevel);
  const server = await startServer(config, log).catch((error: unknown) => {
    throw error instanceof StartError ? new CliError(error.message, 2) : error;
  });
  process.stdout.write(`Waymark ready at ${server.url.origin}\n`);
  const signal = await untilSignal();
  log.info('stopping', { signal });
  await server.close();
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  }
  return port;
}

export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
