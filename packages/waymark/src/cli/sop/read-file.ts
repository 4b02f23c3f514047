import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nearest } from '../../kit/index.ts';
import type { Sop } from '../../sop/model.ts';
import { CliError } from '../cli-error.ts';

/** The text of a file, or a one-line answer to why there is none. */
export async function readText(file: string): Promise<string> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
    if (!text.includes('\0')) return text;
    throw new CliError(`${file} is not a text file`, 2);
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (error instanceof TypeError) throw new CliError(`${file} is not a UTF-8 text file`, 2);
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EISDIR') throw new CliError(`${file} is a directory, not an SOP file`, 2);
    if (code !== 'ENOENT') throw new CliError(`${file} cannot be read (${code ?? 'unknown error'})`, 2);
    const siblings = await readdir(dirname(file)).catch(() => []);
    const suggestion = nearest(basename(file), siblings);
    const hint = suggestion ? `; did you mean ${join(dirname(file), suggestion)}?` : '';
    throw new CliError(`${file} does not exist${hint}`, 2);
  }
}

/** A parsed SOP; its errors end the command. */
export async function readSop(file: string): Promise<Sop> {
  const source = await readText(file);
  const { parseSop } = await import('../../sop/parse-sop.ts');
  const { sop, errors } = parseSop(source, basename(file, '.md'));
  if (sop) return sop;
  const lines = errors.map(({ line, column, code, message }) => `${file}:${line}:${column} error ${code} ${message}`);
  throw new CliError(lines.join('\n'), 1);
}
