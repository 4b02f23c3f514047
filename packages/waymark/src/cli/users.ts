import { Command } from 'commander';
import { auditFromTerminal } from './audit-from-terminal.ts';
import { CliError } from './cli-error.ts';
import type { Store } from '../store/index.ts';
import { readPassword } from './read-password.ts';
import { type StoreFlags, withStore } from './with-store.ts';

const examples = `
Examples:
  $ waymark users add ada --time-zone Europe/London
  $ waymark users add grace --password           asks for it; or echo … | waymark users password grace
  $ waymark users export ada > ada.json
  $ waymark users list --json
  $ waymark users remove ada --yes
`;

export function createCommand(): Command {
  const users = new Command('users')
    .description('The people of this Waymark. The user "local" always exists.')
    .addHelpText('after', examples);

  withStoreOptions(users.command('add'))
    .description('add a user')
    .argument('<id>', 'a name without spaces, at most 200 characters')
    .option('--time-zone <zone>', 'such as Europe/Berlin')
    .option('--password', 'ask for a password, for servers that sign people in themselves')
    .action(add);
  withStoreOptions(users.command('password'))
    .description('set the password of a user')
    .argument('<id>')
    .action(setPassword);
  withStoreOptions(users.command('export'))
    .description('print everything the store holds about a user, and their recorded conversations, as JSON')
    .argument('<id>')
    .action(exportData);
  withStoreOptions(users.command('list'))
    .description('list all users')
    .option('--json', 'one JSON object per line')
    .action(list);
  withStoreOptions(users.command('remove'))
    .description('remove a user and everything that is theirs, files too')
    .argument('<id>')
    .option('--yes', 'also when the user has data')
    .action(remove);
  return users;
}

function withStoreOptions(command: Command): Command {
  return command
    .option('--data <dir>', 'directory of the embedded store (default: WAYMARK_DATA or .waymark)')
    .option('--config <file>', 'read settings from a file (default: waymark.yaml, if there is one)');
}

async function add(
  id: string,
  flags: StoreFlags & { readonly timeZone?: string; readonly password?: boolean },
): Promise<void> {
  if (!/^[^\s\p{Cc}]{1,200}$/u.test(id))
    throw new CliError(`"${id}" cannot be a user: no spaces, at most 200 characters`, 2);
  const timeZone = flags.timeZone === undefined ? null : checkTimeZone(flags.timeZone);
  const password = flags.password ? await readPassword() : undefined;
  await withStore(flags, async (store) => {
    const added = await store.db
      .insertInto('users')
      .values({ id, time_zone: timeZone })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    if (added.length === 0) throw new CliError(`The user ${id} exists already`);
    if (password !== undefined) await savePassword(store, id, password);
  });
  process.stdout.write(`Added ${id}\n`);
}

async function setPassword(id: string, flags: StoreFlags): Promise<void> {
  const password = await readPassword();
  await withStore(flags, async (store) => {
    await requireUser(store, id);
    await savePassword(store, id, password);
  });
  process.stdout.write(`Password of ${id} set\n`);
}

async function savePassword(store: Store, id: string, password: string): Promise<void> {
  const { Accounts } = await import('../server/auth/accounts.ts');
  await new Accounts(async () => store).setPassword(id, password);
  await auditFromTerminal(store, { event: 'password-set', userId: id });
}

async function exportData(id: string, flags: StoreFlags): Promise<void> {
  const data = await withStore(flags, async (store, dataDirectory) => {
    const { exportPerson } = await import('../server/person.ts');
    return exportPerson({ store, dataDirectory }, id);
  });
  if (!data) throw unknownUser(id);
  process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
}

async function requireUser(store: Store, id: string): Promise<void> {
  const user = await store.db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
  if (!user) throw unknownUser(id);
}

function unknownUser(id: string): CliError {
  return new CliError(`There is no user ${id}. See waymark users list.`);
}

async function list(flags: StoreFlags & { readonly json?: boolean }): Promise<void> {
  const rows = await withStore(flags, (store) => store.db.selectFrom('users').selectAll().orderBy('id').execute());
  const width = Math.max(...rows.map((row) => row.id.length));
  for (const row of rows) {
    const line = flags.json
      ? JSON.stringify(row)
      : `${row.id.padEnd(width)}  since ${row.created_at.toISOString().slice(0, 10)}  ${row.time_zone ?? ''}`.trimEnd();
    process.stdout.write(`${line}\n`);
  }
}

async function remove(id: string, flags: StoreFlags & { readonly yes?: boolean }): Promise<void> {
  if (id === 'local') throw new CliError('The user local always exists and cannot be removed', 2);
  await withStore(flags, async (store, dataDirectory) => {
    const { removePerson } = await import('../server/person.ts');
    const outcome = await removePerson({ store, dataDirectory }, id, { evenWithData: flags.yes ?? false });
    if (outcome.removed) {
      await auditFromTerminal(store, { event: 'user-removed', details: { id } });
      return;
    }
    if (!outcome.known) throw unknownUser(id);
    throw new CliError(`${id} has data (${outcome.data.join(', ')}), which would be removed too: add --yes`);
  });
  process.stdout.write(`Removed ${id}\n`);
}

function checkTimeZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw new CliError(`"${zone}" is not a time zone; one is Europe/Berlin`, 2);
  }
}
