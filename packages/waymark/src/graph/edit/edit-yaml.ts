import { isDeepStrictEqual } from 'node:util';
import { isAlias, isCollection, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';
import type { Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { matchItems } from './match-items.ts';
import { endOfContent, lineStart, startWithComments } from './source-lines.ts';
import { writeFlow, writeScalar, writeValue } from './write-yaml.ts';

/** A stretch of the text and what takes its place. */
interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The file cannot be changed without rewriting it: anchors, merge keys or tags are in the way. */
export class CannotEditError extends Error {
  override readonly name = 'CannotEditError';
}

/**
 * Changes a YAML text so that it says `desired`, touching only what differs: comments, quotes,
 * blank lines, spacing and the order of everything else stay as they are, byte for byte.
 * @throws CannotEditError
 */
export function editYaml(source: string, wanted: unknown): string {
  const desired = JSON.parse(JSON.stringify(wanted)) as unknown;
  const text = source === '' || source.endsWith('\n') ? source : `${source}\n`;
  const document = parseDocument(text, { keepSourceTokens: true, merge: true });
  if (document.errors.length > 0) throw new CannotEditError('The file is not valid YAML');
  const current: unknown = document.toJS({ maxAliasCount: 200 });
  if (isDeepStrictEqual(current, desired)) return source;
  if (!document.contents) return `${text}${writeValue(desired, 0, { indentLists: true })}\n`;
  const root = document.contents as Node;
  for (const wholeLists of [false, true]) {
    const edits: TextEdit[] = [];
    new Editor(text, edits, root, wholeLists).change(root, current, desired, -2);
    const result = apply(text, edits);
    const check = parseDocument(result, { merge: true });
    if (check.errors.length === 0 && isDeepStrictEqual(check.toJS({ maxAliasCount: 200 }), desired)) return result;
  }
  throw new CannotEditError('The file uses YAML in a way that cannot be changed piece by piece');
}

function apply(text: string, edits: readonly TextEdit[]): string {
  const ordered = edits
    .map((edit, order) => ({ ...edit, order }))
    .sort((a, b) => b.start - a.start || b.order - a.order);
  return ordered.reduce((rest, { start, end, text: added }) => rest.slice(0, start) + added + rest.slice(end), text);
}

type Values = Readonly<Record<string, unknown>>;

class Editor {
  readonly #text: string;
  readonly #edits: TextEdit[];
  /** Whether lists below a key are indented, as the file itself does it. */
  readonly #style: { indentLists: boolean };
  /** Lists that differ are written anew: for the rare nesting in which their items cannot be told apart. */
  readonly #wholeLists: boolean;

  constructor(text: string, edits: TextEdit[], root: Node, wholeLists: boolean) {
    this.#text = text;
    this.#wholeLists = wholeLists;
    this.#edits = edits;
    this.#style = { indentLists: this.#indentsLists(root) ?? true };
  }

  /** Makes `node`, which says `current`, say `desired`. `indent` is the column its parent's keys stand in. */
  change(node: Node | null, current: unknown, desired: unknown, indent: number): void {
    if (isDeepStrictEqual(current, desired)) return;
    if (isPlainBlock(node)) {
      if (isMap(node) && isRecord(desired) && hasPlainKeys(node)) {
        return this.#changeMap(node, current as Values, desired);
      }
      const byItem = isSeq(node) && Array.isArray(desired) && !this.#wholeLists;
      if (byItem && this.#changeList(node, current as unknown[], desired)) return;
    }
    this.#replace(node, desired, indent);
  }

  #changeMap(map: YAMLMap, current: Values, desired: Values): void {
    const pairs = map.items as Pair<Scalar, Node | null>[];
    const column = this.#columnOf(map);
    const kept = pairs.filter(({ key }) => Object.hasOwn(desired, String(key.value)));
    // The first key may stand behind a dash; without it there is nothing to hang the others on.
    if (kept.length === 0 || (kept[0] !== pairs[0] && !this.#startsLine(keyOffset(pairs[0])))) {
      return this.#replace(map, desired, column);
    }
    for (const pair of pairs) {
      const key = String(pair.key.value);
      if (Object.hasOwn(desired, key)) this.change(pair.value, current[key], desired[key], column);
      else this.#remove(keyOffset(pair), this.#endOf(pair), pair !== pairs[0]);
    }
    const added = Object.keys(desired).filter((key) => !Object.hasOwn(current, key));
    if (added.length === 0) return;
    const fresh = Object.fromEntries(added.map((key) => [key, desired[key]]));
    this.#insert(this.#endOf(pairs.at(-1)), writeValue(fresh, column, this.#style), column);
  }

  /** False when the lists are too different to be told apart item by item. */
  #changeList(list: YAMLSeq, current: readonly unknown[], desired: readonly unknown[]): boolean {
    const items = list.items as Node[];
    const matches = items.length > 0 && desired.length > 0 ? matchItems(current, desired) : undefined;
    if (!matches) return false;
    const dashes = dashOffsets(list);
    const column = this.#column(dashes[0] ?? 0);
    const keptCount = matches.filter(({ from, to }) => from !== undefined && to !== undefined).length;
    if (keptCount === 0 || (!this.#startsLine(dashes[0] ?? 0) && matches[0]?.to === undefined)) return false;
    let end: number | undefined;
    for (const { from, to } of matches) {
      if (from === undefined) {
        const text = writeValue([desired[to as number]], column, this.#style);
        this.#insert(end ?? lineStart(this.#text, dashes[0] ?? 0), text, column);
        continue;
      }
      end = this.#endOf(items[from]);
      if (to === undefined) this.#remove(dashes[from] as number, end, from > 0);
      else this.change(items[from] as Node, current[from], desired[to], column);
    }
    return true;
  }

  #replace(node: Node | null, desired: unknown, indent: number): void {
    if (!node?.range || isAlias(node) || node.anchor !== undefined || node.tag !== undefined) {
      throw new CannotEditError('The file uses anchors or tags where it would have to change');
    }
    const [start, end] = node.range;
    const isBlock = !isInline(desired) && (isEmpty(node) || !isInFlow(node));
    if (isScalar(node) && !isBlock) {
      const isValue = typeof desired !== 'object' || desired === null;
      const text = isValue
        ? writeScalar(desired, node, { indent, mayBeBlock: this.#endsLine(end) })
        : writeFlow(desired);
      this.#edits.push({ start, end, text: this.#fit(start, end, text) });
      return;
    }
    if (isInFlow(node) && !isBlock) {
      this.#edits.push({ start, end, text: writeFlow(desired) });
      return;
    }
    this.#replaceBlock(node, start, end, desired, indent);
  }

  #replaceBlock(node: Node, start: number, end: number, desired: unknown, indent: number): void {
    if (isCollection(node) && !node.flow) {
      const stop = this.#endOf(node);
      if (isInline(desired) && this.#replaceAfterKey(start, stop, desired)) return;
      const column = Math.max(this.#column(start), indent + 2);
      const padding = ' '.repeat(column - this.#column(start));
      this.#edits.push({ start, end: stop, text: `${padding}${writeValue(desired, column, this.#style)}\n` });
      return;
    }
    const column = indent + 2;
    const text = writeValue(desired, column, this.#style);
    const from = this.#text[start - 1] === ' ' ? start - 1 : start;
    const isWholeLine = this.#text.slice(start, end).endsWith('\n');
    this.#edits.push({ start: from, end, text: `\n${' '.repeat(column)}${text}${isWholeLine ? '\n' : ''}` });
  }

  /** Puts a short value on the line of its key or dash, unless a comment stands in between. */
  #replaceAfterKey(start: number, end: number, desired: unknown): boolean {
    let from = start;
    while (from > 0 && /\s/.test(this.#text[from - 1] as string)) from--;
    if (from === 0 || !/[:-]/.test(this.#text[from - 1] as string)) return false;
    const line = this.#text.slice(lineStart(this.#text, from), from);
    if (line.includes('#')) return false;
    this.#edits.push({ start: from, end, text: ` ${writeFlow(desired)}\n` });
    return true;
  }

  /** A scalar may have no text at all (`key:`), or own the line break after it (`|`). */
  #fit(start: number, end: number, text: string): string {
    const old = this.#text.slice(start, end);
    const spaced = start === end && this.#text[start - 1] !== ' ' ? ` ${text}` : text;
    if (old.endsWith('\n')) return spaced.endsWith('\n') ? spaced : `${spaced}\n`;
    return spaced.endsWith('\n') ? spaced.slice(0, -1) : spaced;
  }

  #insert(at: number, text: string, column: number): void {
    this.#edits.push({ start: at, end: at, text: `${' '.repeat(column)}${text}\n` });
  }

  #remove(at: number, end: number, withComments: boolean): void {
    const line = lineStart(this.#text, at);
    this.#edits.push({ start: withComments ? startWithComments(this.#text, line) : line, end, text: '' });
  }

  #endOf(what: Pair<Scalar, Node | null> | Node | undefined): number {
    const node = (what && 'key' in what ? (what.value ?? what.key) : what) as Node | undefined;
    const end = node?.range?.[1] ?? 0;
    // The line breaks after a block scalar may be part of it.
    return isBlockScalar(lastWithin(node)) ? end : endOfContent(this.#text, end);
  }

  #columnOf(map: YAMLMap): number {
    return this.#column(map.range?.[0] ?? 0);
  }

  #column(offset: number): number {
    return offset - lineStart(this.#text, offset);
  }

  #endsLine(offset: number): boolean {
    return /^[ \t]*\n/.test(this.#text.slice(offset, offset + 200)) && !this.#text.slice(0, offset).endsWith('\n');
  }

  #startsLine(offset: number): boolean {
    return this.#text.slice(lineStart(this.#text, offset), offset).trim() === '';
  }

  #indentsLists(node: Node | null): boolean | undefined {
    if (!isPlainBlock(node)) return undefined;
    for (const item of node.items as (Node | Pair<Node, Node | null>)[]) {
      const value = 'key' in item ? item.value : item;
      const [dash] = isMap(node) && isSeq(value) ? dashOffsets(value) : [];
      if (dash !== undefined) return this.#column(dash) > this.#columnOf(node as YAMLMap);
      const below = this.#indentsLists(value);
      if (below !== undefined) return below;
    }
    return undefined;
  }
}

function isPlainBlock(node: Node | null): node is YAMLMap | YAMLSeq {
  return isCollection(node) && !node.flow && node.anchor === undefined && node.tag === undefined;
}

function hasPlainKeys(map: YAMLMap): boolean {
  return map.items.every(({ key }) => isScalar(key) && key.value !== '<<' && key.range);
}

function isInFlow(node: Node): boolean {
  return isCollection(node) && node.flow === true;
}

function isEmpty(node: Node): boolean {
  return isCollection(node) && node.items.length === 0;
}

function isBlockScalar(node: unknown): boolean {
  return isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');
}

/** The last thing written inside a node. */
function lastWithin(node: unknown): unknown {
  if (!isCollection(node) || node.flow) return node;
  const last = node.items.at(-1) as Node | Pair<Node, Node | null> | undefined;
  return lastWithin(last && 'key' in last ? (last.value ?? last.key) : last);
}

/** Whether a value takes one line: a scalar, or an empty collection. */
function isInline(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

function keyOffset(pair: Pair<Scalar, Node | null> | undefined): number {
  return pair?.key.range?.[0] ?? 0;
}

/** Where the dash of every item stands. */
function dashOffsets(list: YAMLSeq): number[] {
  const token = list.srcToken;
  if (token?.type !== 'block-seq') return [];
  return token.items.flatMap(({ start }) =>
    start.filter(({ type }) => type === 'seq-item-ind').map(({ offset }) => offset),
  );
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
