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
  return toPlain(shape === 'full' ? fullResult(result) : valueOf(result), maxBytes);
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
