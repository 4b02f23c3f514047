import { readFile, writeFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { exportAnki, exportLearner, importLearner } from '../../sage/index.ts';
import { CliError } from '../cli-error.ts';
import { type LearnerFlags, withTutor } from './with-tutor.ts';

export async function exportTo(flags: LearnerFlags & { readonly out?: string }): Promise<void> {
  await withTutor(flags, async ({ store, circumstances }) => {
    const file = await exportLearner(store, circumstances());
    const { concepts, proofs } = file.tables;
    await write(
      flags.out,
      `${JSON.stringify(file, undefined, 2)}\n`,
      `${concepts.length} concepts, ${proofs.length} proofs`,
    );
  });
}

export async function importFrom(file: string, flags: LearnerFlags & { readonly replace?: boolean }): Promise<void> {
  const text = await (file === '-' ? readAll(process.stdin) : readFile(file, 'utf8')).catch(() => {
    throw new CliError(`Cannot read ${file}`, 2);
  });
  await withTutor(flags, async ({ store, circumstances }) => {
    const { outcomes, concepts, proofs, sessions } = await importLearner(store, circumstances(), text, {
      replace: flags.replace ?? false,
    }).catch((error: unknown) => {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'CONFLICT';
      throw isTaken ? new CliError(`${flags.user} has learning data already; --replace removes it first`) : error;
    });
    process.stdout.write(`${outcomes} outcomes, ${concepts} concepts, ${proofs} proofs, ${sessions} sessions\n`);
  });
}

export async function ankiTo(flags: LearnerFlags & { readonly out?: string; readonly deck: string }): Promise<void> {
  await withTutor(flags, async ({ store, circumstances }) => {
    const { text, cards } = await exportAnki(store, circumstances(), flags.deck);
    await write(flags.out, text, `${cards} cards`);
  });
}

async function write(file: string | undefined, text: string, told: string): Promise<void> {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  await writeFile(file, text).catch(() => {
    throw new CliError(`Cannot write ${file}`, 2);
  });
  process.stderr.write(`${told} written to ${file}\n`);
}
