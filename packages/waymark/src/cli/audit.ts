import { Command, InvalidArgumentError } from 'commander';
import { silentLogger } from '../kit/context.ts';
import { withStore } from './with-store.ts';

export function createCommand(): Command {
  return new Command('audit')
    .description('Who did what, when and from where: sign-ins, tokens, consents and changes, newest first.')
    .option('--user <id>', 'only of this user')
    .option('--event <name>', 'only this event, such as login-failed')
    .option('--limit <number>', 'at most so many', parseLimit, 100)
    .option('--json', 'one JSON object per line, for export')
    .option('--data <dir>', 'directory of the embedded store')
    .addHelpText('after', '\nExample:\n  $ waymark audit --event login-failed --json > failed.jsonl\n')
    .action(async (flags: { user?: string; event?: string; limit: number; json?: boolean; data?: string }) => {
      await withStore(flags, async (store) => {
        const { Audit } = await import('../server/auth/audit.ts');
        const filter = {
          ...(flags.user ? { userId: flags.user } : {}),
          ...(flags.event ? { event: flags.event } : {}),
          limit: flags.limit,
        };
        for (const record of await new Audit(async () => store, silentLogger).list(filter)) {
          const { at, userId, event, client, address, details } = record;
          const line = flags.json
            ? JSON.stringify(record)
            : [at.toISOString(), event, userId ?? '-', client ?? '-', address ?? '-', JSON.stringify(details)].join(
                '  ',
              );
          process.stdout.write(`${line}\n`);
        }
      });
    });
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw new InvalidArgumentError('A limit is a whole number above 0.');
  return limit;
}
