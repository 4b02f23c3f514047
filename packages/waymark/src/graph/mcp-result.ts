import type { CallToolResult } from '@modelcontextprotocol/client';
import { NodeFailure } from './errors.ts';
import { toPlain } from './expressions/plain.ts';

/**
 * What a tool's answer becomes as the output of an `mcp` node. `value`: the structured content, else
 * the first content item, read as JSON if it is text that is JSON. `full`: everything there is.
 */
export function readToolResult(result: CallToolResult, shape: 'value' | 'full', maxBytes: number): unknown {
  if (result.isError === true)
    throw new NodeFailure('TOOL_ERROR', firstText(result) ?? 'The tool reported an error', { result });
  if (exceeds(result, maxBytes)) {
    throw new NodeFailure('PAYLOAD_TOO_LARGE', `The tool's answer is larger than the limit of ${maxBytes} bytes`);
  }
  return toPlain(shape === 'full' ? fullResult(result) : valueOf(result));
}

function fullResult({ content, structuredContent }: CallToolResult): unknown {
  return { content, ...(structuredContent === undefined ? {} : { structuredContent }) };
}

function valueOf({ content, structuredContent }: CallToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  const [first] = content;
  if (first?.type !== 'text' || typeof first.text !== 'string' || first.text === '') return first;
  try {
    return JSON.parse(first.text) as unknown;
  } catch {
    return first.text;
  }
}

export function firstText({ content }: CallToolResult): string | undefined {
  const texts = content.filter((item) => item.type === 'text').map((item) => item.text);
  return texts.find((text) => text !== '');
}

/** Counts characters until the limit is passed, which is much cheaper than writing JSON. */
function exceeds(value: unknown, limit: number): boolean {
  let left = limit;
  const visit = (part: unknown): void => {
    if (left < 0) return;
    if (typeof part === 'string') left -= part.length;
    else if (typeof part !== 'object' || part === null) left -= 4;
    else if (Array.isArray(part)) for (const item of part) visit(item);
    else
      for (const [key, item] of Object.entries(part)) {
        left -= key.length;
        visit(item);
      }
  };
  visit(value);
  return left < 0;
}
