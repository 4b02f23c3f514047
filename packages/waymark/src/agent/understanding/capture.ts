import type { Sentence } from './sentence.ts';

/** The named groups of a pattern that fits the plain line, as they were typed. */
export function capture(sentence: Sentence, pattern: RegExp): Readonly<Record<string, string>> | undefined {
  const match = pattern.exec(sentence.plain);
  if (!match) return undefined;
  const indices = match.indices?.groups ?? {};
  return Object.fromEntries(
    Object.entries(indices).map(([name, span]) => [name, span ? sentence.slice(span[0], span[1]) : '']),
  );
}

/** The text without the quotes around it. */
export function unquote(text: string): string {
  return text.replace(/^(?:"(.*)"|“(.*)”|'(.*)'|‘(.*)’)$/s, (_all, ...parts: (string | undefined)[]) => {
    return parts.slice(0, 4).find((part) => part !== undefined) ?? '';
  });
}
