import { Command } from 'commander';
import type { ChatSession } from './chat-session.ts';
import { CliError } from './cli-error.ts';

interface ChatFlags {
  user: string;
  now?: string;
  tz?: string;
  model?: string;
  conversation?: string;
  data?: string;
  json?: boolean;
}

const examples = `
Examples:
  $ waymark chat                                       talk about your tasks
  $ waymark chat --model anthropic/claude-sonnet-4-5   with a language model
  $ echo "add milk" | waymark chat --json              one JSON answer per line of input
`;

export function createCommand(): Command {
  return new Command('chat')
    .description('Talk to the task agent. Without a model it understands plain English about tasks by fixed rules.')
    .option('--user <id>', 'whose tasks', 'local')
    .option('--now <iso>', 'take this as the current time')
    .option('--tz <zone>', 'time zone, such as Europe/Paris')
    .option('--model <provider/name>', 'language model (default: $WAYMARK_MODEL, else offline)')
    .option('--conversation <id>', 'go on with this conversation')
    .option('--data <dir>', 'directory of the embedded store (default: $WAYMARK_DATA or .waymark)')
    .option('--json', 'read one message per line, write one JSON answer per line')
    .addHelpText('after', examples)
    .action(run);
}

async function run(flags: ChatFlags): Promise<void> {
  const now = flags.now === undefined ? undefined : new Date(flags.now);
  if (now && Number.isNaN(now.getTime())) throw new CliError(`--now ${flags.now}: not an ISO date and time`, 2);
  const [{ openChatSession }, { isTimeZone }] = await Promise.all([
    import('./chat-session.ts'),
    import('../dates/index.ts'),
  ]);
  if (flags.tz !== undefined && !isTimeZone(flags.tz))
    throw new CliError(`--tz ${flags.tz}: not a time zone; use a name such as Europe/Paris`, 2);
  const session = await openChatSession({ ...flags, ...(now ? { clock: () => now } : {}), timeZone: flags.tz });
  try {
    await (flags.json ? talkJson(session) : talk(session));
  } finally {
    await session.close();
  }
}

async function talkJson(session: ChatSession): Promise<void> {
  const { createInterface } = await import('node:readline');
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const { reply, calls, conversation } = await session.say(line);
    process.stdout.write(`${JSON.stringify({ reply, calls, conversation })}\n`);
  }
}

async function talk(session: ChatSession): Promise<void> {
  const { createInterface } = await import('node:readline');
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: isTerminal,
    prompt: isTerminal ? '> ' : '',
  });
  process.stdout.write(`${session.greeting}\n`);
  lines.prompt();
  for await (const line of lines) {
    if (/^\s*(?:exit|quit|bye)\s*$/i.test(line)) break;
    if (line.trim()) process.stdout.write(`${(await session.say(line)).reply}\n\n`);
    lines.prompt();
  }
  lines.close();
}
