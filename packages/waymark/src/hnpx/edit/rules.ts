import { nearest, ToolError } from '../../kit/index.ts';
import type { Book } from '../book/book.ts';
import {
  attributeRules,
  kindAt,
  type Limits,
  level,
  type NodeKind,
  type ParagraphMode,
  paragraphModes,
} from '../model.ts';
import { illegalCharacterAt, normalizeNewlines, trimSpace } from '../xml/text.ts';

export function invalidAttribute(message: string, details: Record<string, unknown> = {}): ToolError {
  return new ToolError('INVALID_ATTRIBUTE', message, details);
}

export function missingAttribute(attribute: string): ToolError {
  return new ToolError('MISSING_ATTRIBUTE', `Missing required attribute: ${attribute}`, { attribute });
}

/** Refuses what XML cannot hold or this server does not want to; trims; makes every line break a line feed. */
export function cleanText(name: string, value: string, { maxTextLength }: Limits): string {
  if (value.length > maxTextLength) {
    const message = `${name} is longer than ${maxTextLength} characters`;
    throw new ToolError('LIMIT_EXCEEDED', message, { attribute: name, length: value.length, limit: maxTextLength });
  }
  const offset = illegalCharacterAt(value);
  if (offset >= 0) {
    const code = value.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0');
    throw invalidAttribute(`${name} contains the character U+${code} at offset ${offset}, which XML cannot hold`, {
      attribute: name,
      offset,
    });
  }
  return trimSpace(normalizeNewlines(value));
}

export function cleanSummary(value: string, limits: Limits): string {
  const summary = cleanText('summary', value, limits);
  if (summary === '') throw new ToolError('EMPTY_SUMMARY', 'Summary cannot be empty', { attribute: 'summary' });
  return summary;
}

export function cleanParagraphText(value: string, limits: Limits): string {
  const text = cleanText('text', value, limits);
  if (text === '') throw invalidAttribute('text must be non-empty', { attribute: 'text' });
  return text;
}

/** Checks an attribute's value for its kind of node; empty and null both mean absent and come back as null. */
export function cleanAttribute(
  book: Book,
  kind: NodeKind,
  name: string,
  value: string | null | undefined,
  limits: Limits,
): string | null {
  const rules = attributeRules(kind, book.dialect);
  const rule = rules.find((candidate) => candidate.name === name);
  if (!rule) {
    const known = rules.map((candidate) => candidate.name);
    const suggestion = nearest(name, known);
    throw invalidAttribute(`Attribute '${name}' is not allowed on ${kind}`, {
      attribute: name,
      allowed: known,
      ...(suggestion ? { did_you_mean: suggestion } : {}),
    });
  }
  const cleaned = value === null || value === undefined ? '' : cleanText(name, value, limits);
  if (cleaned === '') return null;
  if (cleaned.length > rule.maxLength) {
    throw invalidAttribute(`${name} is longer than ${rule.maxLength} characters`, {
      attribute: name,
      length: cleaned.length,
      limit: rule.maxLength,
    });
  }
  if (name === 'mode') requireMode(cleaned);
  return cleaned;
}

export function requireMode(mode: string): ParagraphMode {
  const known = paragraphModes.find((candidate) => candidate === mode);
  if (known) return known;
  throw invalidAttribute(`mode must be one of: ${paragraphModes.join(', ')}`, { attribute: 'mode', value: mode });
}

/** A paragraph's mode and speaker are judged together, as they will stand. */
export function checkSpeaker(book: Book, mode: string | null, char: string | null): void {
  if (mode === 'dialogue' && char === null) {
    throw new ToolError('MISSING_CHAR', 'Dialogue paragraph requires char', { attribute: 'char' });
  }
  if (book.dialect === 'plain' && mode !== 'dialogue' && char !== null) {
    throw invalidAttribute('char is only allowed when mode is dialogue', { attribute: 'char' });
  }
}

export function checkUniqueTitle(book: Book, title: string, except = -1): void {
  for (const row of book.children(0)) {
    if (row === except || trimSpace(book.attribute(row, 'title') ?? '') !== title) continue;
    throw new ToolError('VALIDATION_FAILED', 'Chapter title must be unique within book', {
      title,
      existing_id: book.id(row),
    });
  }
}

/** The parent of a node about to be created. */
export function requireParent(book: Book, parentId: string, kind: Exclude<NodeKind, 'book'>): number {
  const parent = book.require(parentId);
  if (book.childKind(parent) === kind) return parent;
  const wanted = kindAt(level[kind] - 1);
  throw new ToolError('INVALID_PARENT', `Parent must be a ${wanted} element`, {
    parent_id: parentId,
    parent_type: book.kind(parent),
    expected_type: wanted,
  });
}
