import { ToolError } from '../kit/index.ts';
import { countCharacters } from './content-rules.ts';
import { limits } from './model.ts';

/** A label is one word: letters, digits, `-`, `_`, `/` and `.`, starting with a letter. */
const shape = /^\p{L}[\p{L}\p{M}\p{N}_/.-]*$/u;

/** Labels without their marks, each once whatever its case, in the order given. */
export function readLabels(texts: readonly string[]): string[] {
  const labels = new Map<string, string>();
  for (const text of texts) {
    const label = text
      .trim()
      .replace(/^[#@+]/, '')
      .normalize('NFC');
    if (!shape.test(label) || countCharacters(label) > limits.label) {
      throw new ToolError(
        'INVALID_LABEL',
        `"${label.slice(0, 60)}" is not a label: one word of at most ${limits.label} letters, digits, - _ / or .`,
      );
    }
    const key = label.toLowerCase();
    if (!labels.has(key)) labels.set(key, label);
  }
  if (labels.size > limits.labels) {
    throw new ToolError('INVALID_LABEL', `A task has at most ${limits.labels} labels, not ${labels.size}`);
  }
  return [...labels.values()];
}

/** The nearest label to any text, for files that allow more: `My Project` becomes `My-Project`. */
export function toLabel(text: string): string | undefined {
  const label = text
    .normalize('NFC')
    .trim()
    .replaceAll(/[^\p{L}\p{M}\p{N}_/.-]+/gu, '-')
    .replace(/^[^\p{L}]+/u, '')
    .replace(/-+$/, '');
  return shape.test(label) ? Array.from(label).slice(0, limits.label).join('') : undefined;
}
