import { Command, InvalidArgumentError } from 'commander';
import { nearest } from '../kit/nearest.ts';
import { allScopes, type Scope } from '../kit/scope.ts';
import { auditFromTerminal } from './audit-from-terminal.ts';
import { CliError } from './cli-error.ts';
import { withStore } from './with-store.ts';

const examples = `
Examples:
  $ waymark tokens create --user ada --name backup --scopes tasks:read --days 30
  $ waymark tokens list
  $ waymark tokens revoke 3f9a1c20b7de
`;

export function createCommand(): Command {
  const command = new Command('tokens')
    .description('Personal access tokens for scripts: shown once, stored as a hash, scoped, expiring.')
    .addHelpText('after', examples);
  command
    .command('create')
    .description('Make a token and print it once.')
    .requiredOption('--user <id>', 'whose token')
    .requiredOption('--name <text>', 'what it is for')
    .option(
      '--scopes <names>',
      `what it allows, separated by commas (default: all; ${allScopes.join(', ')})`,
      parseScopes,
      allScopes,
    )
    .option('--days <number>', 'days until it expires (0: never)', parseDays, 90)
    .option('--data <dir>', 'directory of the embedded store')
    .action(create);
  command
    .command('list')
    .description('List tokens without their secrets.')
    .option('--user <id>', 'only of this user')
    .option('--json', 'print JSON')
    .option('--data <dir>', 'directory of the embedded store')
    .action(list);
  command
    .command('revoke')
    .description('Make a token useless at once.')
    .argument('<id>', 'the id that list shows')
    .option('--data <dir>', 'directory of the embedded store')
    .action(revoke);
  return command;
}

async function create(flags: {
  user: string;
  name: string;
  scopes: Scope[];
  days: number;
  data?: string;
}): Promise<void> {
  await withStore(flags, async (store) => {
    const { AccessTokens } = await import('../server/auth/access-tokens.ts');
    const expiresAt = flags.days === 0 ? null : new Date(Date.now() + flags.days * 86_400_000);
    const { id, token } = await new AccessTokens(async () => store).create(
      flags.user,
      flags.name,
      flags.scopes,
      expiresAt,
    );
    await auditFromTerminal(store, {
      event: 'token-created',
      userId: flags.user,
      details: { id, scopes: flags.scopes },
    });
    process.stderr.write(
      `Keep it now, it is not shown again. ${expiresAt ? `Expires ${expiresAt.toISOString()}.` : 'Never expires.'}\n`,
    );
    process.stdout.write(`${token}\n`);
  });
}

async function list(flags: { user?: string; json?: boolean; data?: string }): Promise<void> {
  await withStore(flags, async (store) => {
    const { AccessTokens } = await import('../server/auth/access-tokens.ts');
    const tokens = await new AccessTokens(async () => store).list(flags.user);
    if (flags.json) process.stdout.write(`${JSON.stringify(tokens, null, 2)}\n`);
    else if (tokens.length === 0) process.stdout.write('No tokens.\n');
    else {
      for (const token of tokens) {
        const until = token.expiresAt ? `until ${token.expiresAt.toISOString().slice(0, 10)}` : 'for ever';
        process.stdout.write(`${token.id}  ${token.userId}  ${token.name}  ${until}  ${token.scopes.join(' ')}\n`);
      }
    }
  });
}

async function revoke(id: string, flags: { data?: string }): Promise<void> {
  await withStore(flags, async (store) => {
    const { AccessTokens } = await import('../server/auth/access-tokens.ts');
    if (!(await new AccessTokens(async () => store).revoke(id))) throw new CliError(`There is no token ${id}`);
    await auditFromTerminal(store, { event: 'token-revoked', details: { id } });
    process.stdout.write(`Revoked ${id}\n`);
  });
}

function parseScopes(text: string): Scope[] {
  return text.split(',').map((word) => {
    const name = word.trim();
    if ((allScopes as string[]).includes(name)) return name as Scope;
    const suggestion = nearest(name, allScopes);
    throw new InvalidArgumentError(suggestion ? `Did you mean ${suggestion}?` : `Known: ${allScopes.join(', ')}.`);
  });
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 0) throw new InvalidArgumentError('Days are a whole number, 0 or more.');
  return days;
}
