import { Command, CommanderError } from 'commander';
import { nearest } from '../kit/nearest.ts';
import { version } from '../server/version.ts';
import { CliError } from './cli-error.ts';
import { commands } from './commands.ts';

const examples = `
Examples:
  $ waymark serve                              run everything at http://127.0.0.1:4840
  $ waymark mcp sop                            serve the sop tools on stdin and stdout
  $ waymark mcp config --client claude         print the configuration for a client
  $ waymark doctor                             check this machine and say what to do
`;

/** Runs one command line and gives back its exit code. Only the named command is loaded. */
export async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('waymark')
    .description('Structure for AI agents over MCP: procedures, tool graphs, tasks, books and tutoring.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', examples)
    .showSuggestionAfterError(true);

  const name = argv.find((word) => !word.startsWith('-'));
  for (const [commandName, entry] of Object.entries(commands)) {
    if (commandName === name) program.addCommand((await entry.load()).createCommand());
    else program.command(commandName).description(entry.summary);
  }
  program.action(() => {
    if (name !== undefined) throw unknownCommand(name);
    program.outputHelp();
  });
  speakPlainly(program);

  try {
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}

function unknownCommand(name: string): CliError {
  const suggestion = nearest(name, Object.keys(commands));
  const hint = suggestion ? `Did you mean "${suggestion}"?` : 'See waymark --help.';
  return new CliError(`Unknown command "${name}". ${hint}`, 2);
}

/** Commander's own answers go through us: one line, exit code 2, no stack. */
function speakPlainly(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => {} });
  if (command.commands.length > 0 || command.registeredArguments.length === 0)
    command.allowExcessArguments(command.parent === null);
  for (const child of command.commands) speakPlainly(child);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    const message = error.message
      .replace(/^error: /, '')
      .replaceAll(/\n\(Did you mean (.+?)\?\)/g, '. Did you mean $1?');
    if (!message.startsWith('(')) process.stderr.write(`waymark: ${message}\n`);
    return 2;
  }
  if (error instanceof CliError) {
    process.stderr.write(`waymark: ${error.message}\n`);
    return error.exitCode;
  }
  process.stderr.write(`waymark: ${describeUnexpected(error)}\n`);
  return 1;
}

function describeUnexpected(error: unknown): string {
  if (process.env['WAYMARK_DEBUG'] && error instanceof Error) return error.stack ?? error.message;
  return `${error instanceof Error ? error.message : String(error)} (set WAYMARK_DEBUG=1 for details)`;
}
