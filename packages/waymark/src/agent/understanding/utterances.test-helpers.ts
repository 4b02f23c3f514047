import { readFileSync } from 'node:fs';
import type { Intent } from './intent.ts';

export interface LabelledUtterance {
  readonly text: string;
  readonly intent: Intent;
}

/** Reads a file of utterances under headings such as `[add]`. */
export function readUtterances(file: URL): LabelledUtterance[] {
  const utterances: LabelledUtterance[] = [];
  let intent: Intent = 'other';
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const heading = /^\[(\w+)\]$/.exec(line)?.[1];
    if (heading) intent = heading as Intent;
    else if (line.trim() && !line.startsWith('#')) utterances.push({ text: line, intent });
  }
  return utterances;
}
