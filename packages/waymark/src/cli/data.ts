import { Command, Option } from 'commander';
import { CliError } from './cli-error.ts';
import { type StoreFlags, withStore } from './with-store.ts';

const examples = `
Examples:
  $ waymark data export backup.jsonl.gz
  $ DATABASE_URL=postgres://me@db/waymark waymark data import backup.jsonl.gz
  $ waymark data export - | ssh other waymark data import - --replace

The file holds everything in the store, secrets too: keep it as safe as the store itself.
`;

export function createCommand(): Command {
  const data = new Command('data')
    .description('Take everything out of a store, or bring it into another, embedded or Postgres.')
    .addHelpText('after', examples);

  withStoreOptions(data.command('export'))
    .description('write everything to a file; compressed when its name ends in .gz')
    .argument('<file>', 'a file, or - for standard output')
    .action(exportData);
  withStoreOptions(data.command('import'))
    .description('bring in an export: all of it, or nothing when something is wrong')
    .argument('<file>', 'a file, or - for standard input')
    .addOption(new Option('--replace', 'remove what the store has first').conflicts('merge'))
    .addOption(new Option('--merge', 'keep what the store has; rows it knows already stay as they are'))
    .action(importData);
  return data;
}

function withStoreOptions(command: Command): Command {
  return command
    .option('--data <dir>', 'directory of the embedded store (default: WAYMARK_DATA or .waymark)')
    .option('--config <file>', 'read settings from a file (default: waymark.yaml, if there is one)');
}

async function exportData(file: string, flags: StoreFlags): Promise<void> {
  const { exportLines, writeLines } = await import('../store/transfer/index.ts');
  await withStore(flags, (store) => writeLines(file, exportLines(store))).catch((error) => explain(error, file));
  if (file !== '-') process.stdout.write(`Exported to ${file}\n`);
}

async function importData(
  file: string,
  flags: StoreFlags & { readonly replace?: boolean; readonly merge?: boolean },
): Promise<void> {
  const { existsSync } = await import('node:fs');
  if (file !== '-' && !existsSync(file)) throw new CliError(`${file}: no such file`, 2);
  const { importLines, readLines } = await import('../store/transfer/index.ts');
  const mode = flags.replace ? 'replace' : flags.merge ? 'merge' : 'empty';
  const { read, added } = await withStore(flags, (store) => importLines(store, readLines(file), mode)).catch((error) =>
    explain(error, file),
  );
  const rest = read === added ? '' : `, ${read - added} were there already`;
  process.stdout.write(`Imported ${added} rows${rest}\n`);
}

async function explain(error: unknown, file: string): Promise<never> {
  const { TransferError } = await import('../store/transfer/index.ts');
  if (error instanceof TransferError) throw new CliError(`${file}: ${error.message}. Nothing was changed.`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^E[A-Z]+$|^Z_/.test(code)) throw new CliError(`${file}: ${(error as Error).message}`);
  // A constraint or a value the store refused.
  if (/^2[23]\w{3}$/.test(code)) throw new CliError(`${file}: ${(error as Error).message}. Nothing was changed.`);
  throw error;
}
