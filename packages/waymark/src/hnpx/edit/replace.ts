import type { Book } from '../book/book.ts';
import { type NodeKind, placeAttribute } from '../model.ts';
import { type Pattern, replaceMatches } from '../read/match.ts';
import { candidates, type SearchField, type SearchScope } from '../read/search.ts';
import { wholeSlice } from '../xml/text.ts';
import type { Edited, EditTools } from './edit.ts';
import { type NodeRewrite, rewriteNodes } from './rewrite.ts';
import {
  checkSpeaker,
  checkUniqueTitle,
  cleanAttribute,
  cleanParagraphText,
  cleanSummary,
  invalidAttribute,
} from './rules.ts';

export interface ReplacedField {
  readonly id: string;
  readonly type: NodeKind;
  readonly field: SearchField;
  readonly before: string;
  readonly after: string;
}

export interface Replaced {
  readonly success: true;
  readonly dry_run: boolean;
  readonly changed: number;
  readonly changes: readonly ReplacedField[];
  readonly message: string;
}

export interface ReplaceText extends Pattern, SearchScope {
  readonly replacement: string;
  readonly dry_run?: boolean | null | undefined;
}

const maxListed = 100;

/** Replaces what a search finds; with `dry_run` only says what it would do. */
export function replaceText(book: Book, args: ReplaceText, tools: EditTools): Edited<Replaced> {
  const all = [...candidates(book, args)];
  const replaced = replaceMatches(
    args,
    args.replacement,
    all.map(({ value }) => value),
  );
  const changes = all.flatMap(({ row, field, value }, position) => {
    const after = replaced[position] ?? value;
    return after === value ? [] : [{ row, field, before: value, after }];
  });
  return rewriteFields(book, changes, args.dry_run ?? false, tools);
}

export interface RenameCharacter {
  readonly from: string;
  readonly to: string;
  /** Also rename mentions in texts and summaries, as whole words. */
  readonly in_text?: boolean | null | undefined;
  readonly dry_run?: boolean | null | undefined;
}

export function renameCharacter(book: Book, args: RenameCharacter, tools: EditTools): Edited<Replaced> {
  if (args.from === '') throw invalidAttribute('from must be non-empty', { attribute: 'from' });
  const to = cleanAttribute(book, 'paragraph', 'char', args.to, tools.limits);
  if (to === null) throw invalidAttribute('to must be non-empty', { attribute: 'to' });
  const attributes = [...candidates(book, { fields: ['char', 'pov'] })]
    .filter(({ value }) => value === args.from)
    .map(({ row, field, value }) => ({ row, field, before: value, after: to }));
  const mentions = args.in_text ? findMentions(book, args.from, to) : [];
  return rewriteFields(book, [...attributes, ...mentions], args.dry_run ?? false, tools);
}

/** A name in the text is written with a capital even where the identifier is not. */
function findMentions(book: Book, from: string, to: string): Change[] {
  const all = [...candidates(book, { fields: ['text', 'summary', 'title'] })];
  let texts = all.map(({ value }) => value);
  const spellings = new Map([
    [from, to],
    [capitalized(from), capitalized(to)],
  ]);
  for (const [query, replacement] of spellings) {
    texts = replaceMatches({ query, whole_word: true, case_sensitive: true }, replacement, texts);
  }
  return all.flatMap(({ row, field, value }, position) => {
    const after = texts[position] ?? value;
    return after === value ? [] : [{ row, field, before: value, after }];
  });
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

interface Change {
  readonly row: number;
  readonly field: SearchField;
  readonly before: string;
  readonly after: string;
}

function rewriteFields(book: Book, changes: readonly Change[], isDryRun: boolean, tools: EditTools): Edited<Replaced> {
  const rewrites = rewritesOf(book, changes, tools);
  const rewritten = rewriteNodes(book, rewrites);
  // Two titles may become the same in one step, which no check against the old book can see.
  for (const { row, attributes } of rewrites) {
    const title = attributes?.get('title');
    if (title) checkUniqueTitle(rewritten, title, row);
  }
  const edited = isDryRun ? book : rewritten;
  const verb = isDryRun ? 'Would change' : 'Changed';
  return {
    book: edited,
    result: {
      success: true,
      dry_run: isDryRun,
      changed: changes.length,
      changes: changes.slice(0, maxListed).map(({ row, field, before, after }) => ({
        id: book.id(row),
        type: book.kind(row),
        field,
        before: shortened(before),
        after: shortened(after),
      })),
      message: `${verb} ${changes.length} field${changes.length === 1 ? '' : 's'}`,
    },
  };
}

function rewritesOf(book: Book, changes: readonly Change[], { limits }: EditTools): NodeRewrite[] {
  const byRow = new Map<number, { summary?: string; text?: string; attributes: Map<string, string | null> }>();
  for (const { row, field, after } of changes) {
    const rewrite = byRow.get(row) ?? { attributes: new Map<string, string | null>() };
    byRow.set(row, rewrite);
    if (field === 'summary') rewrite.summary = cleanSummary(after, limits);
    else if (field === 'text') rewrite.text = cleanParagraphText(after, limits);
    else {
      const name = field === 'location' ? placeAttribute(book.dialect) : field;
      const value = cleanAttribute(book, book.kind(row), name, after, limits);
      if (value === null && (name === 'title' || name === 'loc'))
        throw invalidAttribute(`${name} of ${book.id(row)} would be empty`);
      if (name === 'char') checkSpeaker(book, book.mode(row), value);
      rewrite.attributes.set(name, value);
    }
  }
  return [...byRow].map(([row, rewrite]) => ({ row, ...rewrite }));
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${wholeSlice(text, 0, 199)}…`;
}
