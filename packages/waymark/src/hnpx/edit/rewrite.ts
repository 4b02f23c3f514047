import { Book } from '../book/book.ts';
import { textRange } from '../book/layout.ts';
import { attributeRules } from '../model.ts';
import { rewriteOpenTag } from '../xml/open-tag.ts';
import { paragraphXml, textXml } from './attributes.ts';

/** What one node becomes; what is undefined stays. */
export interface NodeRewrite {
  readonly row: number;
  readonly summary?: string | undefined;
  readonly text?: string | undefined;
  readonly attributes?: ReadonlyMap<string, string | null> | undefined;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly xml: string;
}

/** Rewrites many nodes in one pass and reads the outcome as strictly as any file. */
export function rewriteNodes(book: Book, rewrites: readonly NodeRewrite[]): Book {
  if (rewrites.length === 0) return book;
  const replacements = rewrites
    .flatMap((rewrite) => replacementsOf(book, rewrite))
    .toSorted((left, right) => left.start - right.start);
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { start, end, xml } of replacements) {
    pieces.push(book.bytes.subarray(at, start), Buffer.from(xml, 'utf8'));
    at = end;
  }
  return Book.parse(Buffer.concat([...pieces, book.bytes.subarray(at)]));
}

function replacementsOf(book: Book, { row, summary, text, attributes }: NodeRewrite): Replacement[] {
  const { start, contentStart, end, summaryStart, summaryEnd } = book.index;
  const order = ['id', ...attributeRules(book.kind(row), book.dialect).map(({ name }) => name)];
  const tag = book.openTag(row);
  const newTag = attributes ? rewriteOpenTag(tag, attributes, order) : tag;
  const newSummary = summary === undefined ? undefined : `<summary>${textXml(book, summary)}</summary>`;
  const range = text === undefined ? undefined : textRange(book, row);
  if (text !== undefined && range === undefined) {
    const xml = paragraphXml(book, row, text, { tag: newTag, summary: newSummary });
    return [{ start: start[row]!, end: end[row]!, xml }];
  }
  const tagEnd = tag.endsWith('/>') ? end[row]! : contentStart[row]!;
  return [
    ...(newTag === tag ? [] : [{ start: start[row]!, end: tagEnd, xml: newTag }]),
    ...(newSummary === undefined ? [] : [{ start: summaryStart[row]!, end: summaryEnd[row]!, xml: newSummary }]),
    ...(text === undefined || range === undefined ? [] : [{ ...range, xml: textXml(book, text) }]),
  ];
}
