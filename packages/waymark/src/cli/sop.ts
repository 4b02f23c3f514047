import { Command, InvalidArgumentError, Option } from 'commander';
import { createSopChatCommand } from './sop-chat.ts';

export function createCommand(): Command {
  const command = new Command('sop').description('Check, test and inspect standard operating procedures.');
  command
    .command('check')
    .description('Find mistakes and doubtful places in SOP files.')
    .argument('<file...>', 'SOP files')
    .option('--fix', 'repair what can be repaired without guessing')
    .option('--strict', 'treat warnings as errors')
    .option('--json', 'print the problems as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waymark sop check support.md\n  $ waymark sop check --fix procedures/*.md\n',
    )
    .action(async (files: string[], flags: { fix?: boolean; strict?: boolean; json?: boolean }) => {
      const { checkFiles } = await import('./sop/check.ts');
      await checkFiles(files, flags);
    });
  command
    .command('test')
    .description('Run walks through an SOP and compare what happens with what should.')
    .argument('<file...>', 'YAML files with walks')
    .option('--json', 'print the results as JSON')
    .option('--min-coverage <percent>', 'fail if fewer nodes are visited', parsePercent)
    .addHelpText('after', '\nExample:\n  $ waymark sop test support.test.yaml --min-coverage 90\n')
    .action(async (files: string[], flags: { json?: boolean; minCoverage?: number }) => {
      const { testFiles } = await import('./sop/test.ts');
      await testFiles(files, flags);
    });
  command
    .command('show')
    .description('Print what an agent gets from an SOP: the system prompt, the graph, or one node.')
    .argument('<file>', 'SOP file')
    .argument('[node]', 'a node id')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', '\nExamples:\n  $ waymark sop show support.md\n  $ waymark sop show support.md AUTH\n')
    .action(async (file: string, node: string | undefined, flags: { json?: boolean }) => {
      const { showSop } = await import('./sop/show.ts');
      await showSop(file, node, flags);
    });
  recorded(command.command('conversations'))
    .description('List recorded conversations.')
    .action(async (flags: RecordFlags) => {
      const { listConversations } = await import('./sop/conversations.ts');
      await listConversations(flags);
    });
  recorded(command.command('replay'))
    .description('Walk recorded conversations through an SOP and tell which moves it decides otherwise.')
    .argument('<file>', 'the SOP, as it is now')
    .argument('[conversation...]', 'conversation ids (default: all of its agent)')
    .action(async (file: string, ids: string[], flags: RecordFlags) => {
      const { replayFile } = await import('./sop/conversations.ts');
      await replayFile(file, ids, flags);
    });
  recorded(command.command('coverage'))
    .description('Tell which nodes and edges recorded conversations have used.')
    .argument('<file>', 'the SOP')
    .action(async (file: string, flags: RecordFlags) => {
      const { coverFile } = await import('./sop/conversations.ts');
      await coverFile(file, flags);
    });
  command.addCommand(createSopChatCommand());
  return command;
}

export interface RecordFlags {
  readonly data?: string;
  readonly user: string;
  readonly json?: boolean;
}

function recorded(command: Command): Command {
  return command
    .option('--data <dir>', 'data directory (default: WAYMARK_DATA or .waymark)')
    .addOption(new Option('--user <id>', 'whose conversations').default('local'))
    .option('--json', 'print as JSON');
}

function parsePercent(text: string): number {
  const percent = Number(text);
  if (Number.isFinite(percent) && percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError('It must be a number from 0 to 100');
}
