import { statSync } from 'node:fs';
import { nearest } from '../kit/nearest.ts';
import { toolsetNames } from '../server/toolsets.ts';
import { CliError } from './cli-error.ts';

export function requireToolset(name: string): void {
  if ((toolsetNames as string[]).includes(name)) return;
  const suggestion = nearest(name, toolsetNames);
  const hint = suggestion ? `did you mean "${suggestion}"?` : `known: ${toolsetNames.join(', ')}`;
  throw new CliError(`Unknown toolset "${name}"; ${hint}`, 2);
}

export function requireFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new CliError(`${path}: no such file`, 2);
  if (!stats.isFile()) throw new CliError(`${path}: not a file`, 2);
}

export function requireDirectory(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new CliError(`${path}: no such directory`, 2);
  if (!stats.isDirectory()) throw new CliError(`${path}: not a directory`, 2);
}
