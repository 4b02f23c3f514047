import { Command } from 'commander';

const examples = `
Examples:
  $ echo "add milk to my list" | waymark tasks intents
  {"text":"add milk to my list","intent":"add"}
`;

/** `waymark tasks intents`: what the offline model takes each line of stdin for. */
export function createIntentsCommand(): Command {
  return new Command('intents')
    .description('Read one message per line and print what the offline model takes it for.')
    .addHelpText('after', examples)
    .action(run);
}

async function run(): Promise<void> {
  const [{ createInterface }, { classify }] = await Promise.all([
    import('node:readline'),
    import('../agent/understanding/classify.ts'),
  ]);
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const text of lines) {
    process.stdout.write(`${JSON.stringify({ text, intent: classify(text).intent })}\n`);
  }
}
