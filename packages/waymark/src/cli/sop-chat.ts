import { Command } from 'commander';
import { CliError } from './cli-error.ts';

interface SopChatFlags {
  user: string;
  model?: string;
  conversation?: string;
  data?: string;
  json?: boolean;
}

const examples = `
Examples:
  $ waymark sop chat support.md                          with the model the file names, if its key is set
  $ waymark sop chat support.md --model offline          by rules alone
  $ waymark sop chat support.md --model openai/gpt-5
`;

/** `waymark sop chat FILE`: the agent an SOP file describes. */
export function createSopChatCommand(): Command {
  return new Command('chat')
    .description(
      'Talk to the agent an SOP describes. Connects the servers the file names and reveals each tool at its node.',
    )
    .argument('<file>', 'SOP file')
    .option('--user <id>', 'who is talking', 'local')
    .option(
      '--model <provider/name>',
      'language model, or "offline" (default: $WAYMARK_MODEL, else the one in the file)',
    )
    .option('--conversation <id>', 'go on with this conversation')
    .option('--data <dir>', 'directory of the embedded store (default: $WAYMARK_DATA or .waymark)')
    .option('--json', 'read one message per line, write one JSON answer per line')
    .addHelpText('after', examples)
    .action(run);
}

async function run(file: string, flags: SopChatFlags): Promise<void> {
  const [{ existsSync }, { createInterface }, { openSopSession }] = await Promise.all([
    import('node:fs'),
    import('node:readline'),
    import('./sop-session.ts'),
  ]);
  if (!existsSync(file)) throw new CliError(`${file}: no such file`, 2);
  const session = await openSopSession(file, flags);
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
  const prompt = () => {
    if (isTerminal) process.stdout.write('> ');
  };
  try {
    if (!flags.json) process.stdout.write(`${session.greeting}\n`);
    prompt();
    for await (const line of lines) {
      if (!flags.json && /^\s*(?:exit|quit)\s*$/i.test(line)) break;
      const { reply, calls, conversation, node } = await session.say(line);
      process.stdout.write(flags.json ? `${JSON.stringify({ reply, calls, conversation, node })}\n` : `${reply}\n\n`);
      prompt();
    }
  } finally {
    lines.close();
    await session.close();
  }
}
