import { Command, InvalidArgumentError, Option } from 'commander';
import type { ChatFlags } from './sage/chat.ts';
import type { LearnerFlags } from './sage/with-tutor.ts';

const examples = `
Examples:
  $ waymark sage chat --goal "negotiate pricing" --energy medium --minutes 30
  $ waymark sage packs check my-pack.yaml
  $ waymark sage export --out me.json
  $ waymark sage anki --out cards.txt
`;

export function createCommand(): Command {
  const command = new Command('sage').description(
    'Learn with the tutor in the terminal, and care for its packs and data.',
  );
  command.addHelpText('after', examples);
  learner(command.command('chat'))
    .description('Be tutored in the terminal.')
    .option('--goal <text>', 'what you want to be able to do')
    .addOption(new Option('--energy <level>', 'how you are').choices(['low', 'medium', 'high']))
    .option('--minutes <number>', 'how much time you have', parseMinutes)
    .option('--where <text>', 'where you are, such as "quiet office"')
    .option('--model <provider/name>', 'language model (default: $WAYMARK_MODEL, else packs alone)')
    .option('--packs <dir>', 'a directory of packs instead of those that ship with Waymark')
    .option('--json', 'read one message per line, write one JSON answer per line')
    .addHelpText('after', '\nIn the conversation: /practice [scenario], /hint, /progress, /end.\n')
    .action(async (flags: ChatFlags) => (await import('./sage/chat.ts')).chat(flags));
  const packs = command.command('packs').description('Look at learning packs.');
  packs
    .command('check')
    .description('Find mistakes in packs, running their sample answers.')
    .argument('<file...>', 'YAML or JSON files')
    .option('--json', 'print the problems as JSON')
    .action(async (files: string[], flags: { json?: boolean }) =>
      (await import('./sage/packs.ts')).checkPacks(files, flags),
    );
  packs
    .command('list')
    .description('List the packs and scenarios at hand.')
    .option('--packs <dir>', 'a directory of packs instead of those that ship with Waymark')
    .action(async (flags: { packs?: string }) => (await import('./sage/packs.ts')).listPacks(flags));
  learner(command.command('export'))
    .description('Write everything a learner has as JSON.')
    .option('--out <file>', 'write here instead of standard output')
    .action(async (flags: LearnerFlags & { out?: string }) => (await import('./sage/transfer.ts')).exportTo(flags));
  learner(command.command('import'))
    .description('Read such a file.')
    .argument('<file>', 'the exported file, or - for standard input')
    .option('--replace', 'remove what the learner has first')
    .action(async (file: string, flags: LearnerFlags & { replace?: boolean }) =>
      (await import('./sage/transfer.ts')).importFrom(file, flags),
    );
  learner(command.command('anki'))
    .description('Write proofs as flash cards that Anki imports.')
    .option('--out <file>', 'write here instead of standard output')
    .option('--deck <name>', 'the deck they go to', 'Waymark')
    .action(async (flags: LearnerFlags & { out?: string; deck: string }) =>
      (await import('./sage/transfer.ts')).ankiTo(flags),
    );
  return command;
}

function learner(command: Command): Command {
  return command
    .option('--user <id>', 'who learns', 'local')
    .option('--data <dir>', 'directory of the embedded store (default: WAYMARK_DATA or .waymark)')
    .option('--config <file>', 'read settings from a file (default: waymark.yaml, if there is one)');
}

function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= 600) return minutes;
  throw new InvalidArgumentError('Give a whole number of minutes from 1 to 600.');
}
