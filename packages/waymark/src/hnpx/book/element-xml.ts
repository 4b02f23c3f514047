import type { NodeKind } from '../model.ts';
import { escapeAttribute, escapeText } from '../xml/text.ts';

export interface ElementParts {
  readonly kind: NodeKind;
  readonly attributes: Iterable<readonly [name: string, value: string]>;
  readonly summary?: string | undefined;
  readonly text?: string | undefined;
}

/** The open tag as this product writes it. */
export function openTagXml(kind: string, attributes: Iterable<readonly [string, string]>): string {
  let tag = `<${kind}`;
  for (const [name, value] of attributes) tag += ` ${name}="${escapeAttribute(value)}"`;
  return `${tag}>`;
}

/**
 * One element without child nodes. The first line stands where the caller puts it; the others are
 * indented below `indent`. Text keeps its own line breaks and is never re-indented.
 */
export function elementXml(parts: ElementParts, indent: string, newline = '\n'): string {
  const { kind, attributes, summary, text } = parts;
  const open = openTagXml(kind, attributes);
  const close = `</${kind}>`;
  const escapedText = text && withNewlines(escapeText(text), newline);
  if (summary === undefined) return `${open}${escapedText ?? ''}${close}`;
  const inner = newline + indent + '  ';
  const summaryXml = `<summary>${withNewlines(escapeText(summary), newline)}</summary>`;
  return `${open}${inner}${summaryXml}${escapedText ? inner + escapedText : ''}${newline}${indent}${close}`;
}

export function withNewlines(text: string, newline: string): string {
  return newline === '\n' ? text : text.replaceAll('\n', newline);
}
