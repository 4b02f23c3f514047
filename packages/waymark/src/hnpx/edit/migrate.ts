import { Book } from '../book/book.ts';
import { elementXml, openTagXml } from '../book/element-xml.ts';
import { attributeRules, type Dialect, level, placeAttribute } from '../model.ts';
import { escapeText, wholeSlice } from '../xml/text.ts';
import type { Edited } from './edit.ts';

export interface Migrated {
  readonly success: true;
  readonly from: Dialect;
  readonly to: Dialect;
  readonly changes: readonly string[];
  readonly message: string;
}

/** Writes the whole book anew in the other dialect. Ids, order and texts stay; comments between nodes do not. */
export function migrateDialect(book: Book, to: Dialect): Edited<Migrated> {
  const from = book.dialect;
  if (from === to) {
    const message = `The book is already in the ${to} dialect`;
    return { book, result: { success: true, from, to, changes: [], message } };
  }
  const notes = new Map<string, number>();
  const noteChange = (what: string) => notes.set(what, (notes.get(what) ?? 0) + 1);
  const lines: string[] = ['<?xml version="1.0" encoding="UTF-8"?>'];
  writeNode(book, 0, to, '', lines, noteChange);
  const changes = [...notes].map(([what, count]) => `${count} × ${what}`);
  return {
    book: Book.parse(Buffer.from(`${lines.join('\n')}\n`, 'utf8')),
    result: { success: true, from, to, changes, message: `Migrated from the ${from} to the ${to} dialect` },
  };
}

function writeNode(
  book: Book,
  row: number,
  to: Dialect,
  indent: string,
  lines: string[],
  note: (what: string) => void,
): void {
  const kind = book.kind(row);
  const attributes = migratedAttributes(book, row, to, note);
  if (book.index.level[row] === level.paragraph) {
    const summary = to === 'plain' ? undefined : (book.summary(row) ?? summarize(book.text(row)));
    note(to === 'plain' ? 'paragraph summary removed' : 'paragraph summary written from the text');
    lines.push(indent + elementXml({ kind, attributes, summary, text: book.text(row) }, indent));
    return;
  }
  lines.push(
    indent + openTagXml(kind, attributes),
    `${indent}  <summary>${escapeText(book.summary(row) ?? '')}</summary>`,
  );
  for (const child of book.children(row)) writeNode(book, child, to, `${indent}  `, lines, note);
  lines.push(`${indent}</${kind}>`);
}

function migratedAttributes(book: Book, row: number, to: Dialect, note: (what: string) => void): [string, string][] {
  const kind = book.kind(row);
  const source = book.attributes(row);
  const place = placeAttribute(to);
  const result: [string, string][] = [['id', book.id(row)]];
  for (const { name, required } of attributeRules(kind, to)) {
    let value = name === place ? book.place(row) : source.get(name) || undefined;
    if (name === place && value) note(`${placeAttribute(book.dialect)} renamed to ${place}`);
    if (!value && required) {
      value = name === 'title' ? `Chapter ${book.position(row) + 1}` : 'Unspecified';
      note(`missing ${name} filled in`);
    }
    if (name === 'char' && to === 'plain' && value && book.mode(row) !== 'dialogue') {
      note('char of a paragraph without dialogue removed');
      continue;
    }
    if (value) result.push([name, value]);
  }
  return result;
}

/** The first sentence, or as much of it as makes a short summary. */
function summarize(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  if (flat === '') return 'To be written';
  const sentence = /^.{1,120}?[.!?…](?=\s|$)/u.exec(flat)?.[0];
  return sentence ?? (flat.length <= 100 ? flat : `${wholeSlice(flat, 0, 99)}…`);
}
