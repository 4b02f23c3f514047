import { Document, Scalar, visit } from 'yaml';

const plainOptions = { lineWidth: 0, blockQuote: 'literal', defaultStringType: 'PLAIN' } as const;

/** A value in block style, to be put at `column`: the first line without indentation, no line break at the end. */
export function writeValue(value: unknown, column: number, { indentLists }: { indentLists: boolean }): string {
  const document = new Document(value);
  visit(document, {
    Scalar(_key, node) {
      if (isAwkward(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return indentRest(document.toString({ ...plainOptions, indentSeq: indentLists }).trimEnd(), column);
}

/** Whether a block would say how many line breaks end it, or begin with spaces: quotes are clearer and safer. */
function isAwkward(value: unknown): boolean {
  return typeof value === 'string' && /^\s|\n\s*\n$|[ \t]$/.test(value);
}

/**
 * A scalar written the way the one it replaces was: quoted as before, a block where there was a block.
 * A text that has grown lines becomes a block, unless something else stands on the line.
 */
export function writeScalar(value: unknown, old: Scalar, options: { indent: number; mayBeBlock: boolean }): string {
  const { indent, mayBeBlock } = options;
  if (typeof value !== 'string') return JSON.stringify(value);
  const wasBlock = old.type === 'BLOCK_LITERAL' || old.type === 'BLOCK_FOLDED';
  const isBlock = !isAwkward(value) && (wasBlock || (value.includes('\n') && mayBeBlock));
  if (!isBlock && value.includes('\n')) return JSON.stringify(value);
  const fresh = new Scalar(value);
  fresh.type = isAwkward(value) ? 'QUOTE_DOUBLE' : isBlock ? 'BLOCK_LITERAL' : (old.type ?? 'PLAIN');
  const written = new Document(fresh).toString(plainOptions);
  return /^[|>]/.test(written) ? indentRest(written, indent + 2) : written.trimEnd();
}

/** A value on one line. */
export function writeFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeFlow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${writeFlow(key)}: ${writeFlow(item)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' && plainWord.test(value) && !reserved.test(value) ? value : JSON.stringify(value);
}

const plainWord = /^[A-Za-z_][\w-]*$/;
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** Block scalars keep their empty lines empty. */
function indentRest(text: string, column: number): string {
  return text.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`);
}
