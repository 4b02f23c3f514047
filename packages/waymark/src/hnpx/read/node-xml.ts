import type { Book } from '../book/book.ts';
import { elementXml, openTagXml } from '../book/element-xml.ts';
import { level, type NodeKind } from '../model.ts';
import { escapeText } from '../xml/text.ts';

/** One node with its summary and, for a paragraph, its text; no child nodes. */
export function nodeXml(book: Book, row: number, indent = ''): string {
  const kind = book.kind(row);
  const text = kind === 'paragraph' ? book.text(row) : undefined;
  return elementXml({ kind, attributes: book.attributes(row), summary: book.summary(row), text }, indent);
}

export interface SubtreeXml {
  readonly xml: string;
  /** How many nodes were left out, below the level asked for or to keep the answer short. */
  readonly omitted: number;
  readonly truncated: boolean;
}

/** A node with its descendants down to `deepest`; levels are left out from below until the text fits `maxLength`. */
export function subtreeXml(book: Book, row: number, deepest: NodeKind, maxLength: number): SubtreeXml {
  const own = book.index.level[row]!;
  const wanted = Math.max(level[deepest], own);
  for (let depth = wanted; depth >= own; depth--) {
    const printed = printSubtree(book, row, depth, maxLength);
    if (printed) return { ...printed, truncated: depth < wanted };
  }
  const descendants = book.index.next[row]! - row - 1;
  return { xml: nodeXml(book, row), omitted: descendants, truncated: descendants > 0 };
}

function printSubtree(book: Book, root: number, deepest: number, maxLength: number) {
  const parts: string[] = [];
  let length = 0;
  let omitted = 0;
  const add = (part: string) => {
    parts.push(part);
    length += part.length + 1;
  };
  const print = (row: number, indent: string): void => {
    const depth = book.index.level[row]!;
    const children = book.children(row);
    if (length > maxLength) return;
    if (children.length === 0 || depth >= deepest) {
      omitted += book.index.next[row]! - row - 1;
      add(indent + nodeXml(book, row, indent));
      return;
    }
    const kind = book.kind(row);
    add(indent + openTagXml(kind, book.attributes(row)));
    add(`${indent}  <summary>${escapeText(book.summary(row) ?? '')}</summary>`);
    for (const child of children) print(child, `${indent}  `);
    add(`${indent}</${kind}>`);
  };
  print(root, '');
  return length > maxLength ? undefined : { xml: parts.join('\n'), omitted };
}

export interface ChildrenPage {
  readonly xml: string;
  readonly total: number;
  readonly offset: number;
  readonly returned: readonly number[];
}

/** The children of a node, each without its own; paged when asked for or when they would not fit. */
export function childrenXml(
  book: Book,
  row: number,
  page: { offset?: number | undefined; limit?: number | undefined },
  maxLength: number,
): ChildrenPage {
  const children = book.children(row);
  const offset = page.offset ?? 0;
  const wanted = children.slice(offset, page.limit === undefined ? undefined : offset + page.limit);
  const parts: string[] = [];
  let length = 0;
  for (const child of wanted) {
    const xml = `  ${nodeXml(book, child, '  ')}`;
    length += xml.length;
    if (length > maxLength && parts.length > 0) break;
    parts.push(xml);
  }
  const returned = wanted.slice(0, parts.length);
  const isPaged = page.offset !== undefined || page.limit !== undefined || returned.length < wanted.length;
  const counts = isPaged
    ? ` total="${children.length}" offset="${offset}" limit="${page.limit ?? returned.length}"`
    : '';
  const xml = parts.length === 0 ? `<children${counts}/>` : `<children${counts}>\n${parts.join('\n')}\n</children>`;
  return { xml, total: children.length, offset, returned };
}

export function pathXml(book: Book, row: number): string {
  const steps = book.path(row).map((step) => `  ${nodeXml(book, step, '  ')}`);
  return `<path>\n${steps.join('\n')}\n</path>`;
}
