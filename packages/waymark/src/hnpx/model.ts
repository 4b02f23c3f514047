/** The kinds of nodes, in the order they nest: each may only contain the next. */
export const nodeKinds = ['book', 'chapter', 'sequence', 'beat', 'paragraph'] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** A kind's depth in the hierarchy, which is also how the index stores it. */
export const level = { book: 0, chapter: 1, sequence: 2, beat: 3, paragraph: 4 } as const satisfies Record<
  NodeKind,
  number
>;

export function kindAt(depth: number): NodeKind {
  const kind = nodeKinds[depth];
  if (kind === undefined) throw new RangeError(`there is no node kind at level ${depth}`);
  return kind;
}

export const paragraphModes = ['narration', 'dialogue', 'internal'] as const;
export type ParagraphMode = (typeof paragraphModes)[number];

/** The mode an attribute asks for; narration when it is absent or unknown. */
export function paragraphMode(value: string | undefined): ParagraphMode {
  return paragraphModes.find((known) => known === value) ?? 'narration';
}

/**
 * Two incompatible versions of the format exist. The `summary` dialect gives every paragraph a
 * summary and calls the place `loc`; the `plain` dialect forbids paragraph summaries and says `location`.
 */
export const dialects = ['summary', 'plain'] as const;
export type Dialect = (typeof dialects)[number];

export interface AttributeRule {
  readonly name: string;
  readonly maxLength: number;
  readonly required: boolean;
}

function rule(name: string, maxLength: number, required = false): AttributeRule {
  return { name, maxLength, required };
}

/** What each kind may carry besides its id, in the order it is written. */
export function attributeRules(kind: NodeKind, dialect: Dialect): readonly AttributeRule[] {
  switch (kind) {
    case 'chapter':
      return [rule('title', 200, true), rule('pov', 50)];
    case 'sequence':
      return [
        dialect === 'summary' ? rule('loc', 200, true) : rule('location', 200),
        rule('time', 100),
        rule('pov', 50),
      ];
    case 'paragraph':
      return [rule('mode', 20), rule('char', 50)];
    default:
      return [];
  }
}

export function placeAttribute(dialect: Dialect): 'loc' | 'location' {
  return dialect === 'summary' ? 'loc' : 'location';
}

export function hasSummary(kind: NodeKind, dialect: Dialect): boolean {
  return kind !== 'paragraph' || dialect === 'summary';
}

export const severities = ['error', 'warning'] as const;

/** Something wrong with a document, and where. */
export interface Violation {
  readonly severity: (typeof severities)[number];
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly id?: string;
}

export interface Limits {
  readonly maxFileBytes: number;
  /** The longest text, summary or similar argument, in characters. */
  readonly maxTextLength: number;
  /** The longest text of one answer, in characters; longer ones are cut and say how to go on. */
  readonly maxResultLength: number;
  readonly lockWaitMs: number;
}

export const defaultLimits: Limits = {
  maxFileBytes: 64 * 1024 * 1024,
  maxTextLength: 1024 * 1024,
  maxResultLength: 1024 * 1024,
  lockWaitMs: 10_000,
};
