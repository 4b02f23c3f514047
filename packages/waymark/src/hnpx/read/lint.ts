import type { Book } from '../book/book.ts';
import { attributeRules, level, paragraphModes, type Violation } from '../model.ts';
import { trimSpace } from '../xml/text.ts';

/** What a readable book should still mend. Errors break a rule of the format; warnings only look wrong. */
export function lint(book: Book): Violation[] {
  const found: Violation[] = [];
  const titles = new Map<string, string>();
  const report = (row: number, severity: Violation['severity'], code: string, message: string) =>
    found.push({ severity, code, message, id: book.id(row), ...book.locate(book.index.start[row]!) });

  for (let row = 0; row < book.count; row++) {
    const kind = book.kind(row);
    const attributes = book.attributes(row);
    const rules = attributeRules(kind, book.dialect);
    if (book.summary(row) === '')
      report(row, 'error', 'EMPTY_SUMMARY', `The summary of ${kind} ${book.id(row)} is empty`);
    for (const { name, required, maxLength } of rules) {
      const value = attributes.get(name) ?? '';
      if (required && trimSpace(value) === '')
        report(row, 'error', 'MISSING_ATTRIBUTE', `${kind} ${book.id(row)} has no ${name}`);
      if (value.length > maxLength)
        report(row, 'warning', 'INVALID_ATTRIBUTE', `${name} is longer than ${maxLength} characters`);
    }
    for (const name of attributes.keys()) {
      if (name !== 'id' && !rules.some((rule) => rule.name === name)) {
        report(row, 'warning', 'INVALID_ATTRIBUTE', `Attribute '${name}' is not known on ${kind}`);
      }
    }
    if (hasSummaryLate(book, row))
      report(row, 'warning', 'SUMMARY_NOT_FIRST', `The summary of ${kind} ${book.id(row)} is not its first child`);
    if (kind === 'chapter') {
      const title = trimSpace(attributes.get('title') ?? '');
      const other = titles.get(title);
      if (other && title !== '')
        report(row, 'error', 'VALIDATION_FAILED', `Chapter title "${title}" is also that of ${other}`);
      titles.set(title, book.id(row));
    }
    if (kind === 'paragraph') lintParagraph(book, row, attributes, (...args) => report(row, ...args));
  }
  return found;
}

function lintParagraph(
  book: Book,
  row: number,
  attributes: ReadonlyMap<string, string>,
  report: (severity: Violation['severity'], code: string, message: string) => void,
): void {
  const mode = attributes.get('mode') || 'narration';
  const char = attributes.get('char');
  const id = book.id(row);
  if (!paragraphModes.some((known) => known === mode)) {
    report('error', 'INVALID_ATTRIBUTE', `mode "${mode}" must be one of: ${paragraphModes.join(', ')}`);
  }
  if (mode === 'dialogue' && !char) report('error', 'MISSING_CHAR', `Dialogue paragraph ${id} has no char`);
  if (mode !== 'dialogue' && char && book.dialect === 'plain') {
    report('error', 'INVALID_ATTRIBUTE', `char is only allowed when mode is dialogue (${id})`);
  } else if (mode === 'narration' && char) {
    report('warning', 'INVALID_ATTRIBUTE', `Narration paragraph ${id} has a char`);
  }
  if (book.index.written[row] === 0) report('warning', 'EMPTY_TEXT', `Paragraph ${id} has no text`);
}

function hasSummaryLate(book: Book, row: number): boolean {
  const { summaryStart, contentStart, start } = book.index;
  if (summaryStart[row]! < 0) return false;
  if (book.hasChildren(row)) return summaryStart[row]! > start[row + 1]!;
  const isParagraph = book.index.level[row] === level.paragraph;
  return (
    isParagraph && trimSpace(book.source(contentStart[row]!, summaryStart[row]!).replaceAll(/<!--[^]*?-->/g, '')) !== ''
  );
}
