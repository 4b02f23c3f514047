import type { CallToolResult, ContentBlock, InputRequiredResult } from '@modelcontextprotocol/server';

/** A tool's answer where plain structured output is not enough: own text, images, links, `_meta`. */
export class Reply<T = unknown> {
  readonly structured: T | undefined;
  readonly content: ContentBlock[];
  readonly meta: Record<string, unknown> | undefined;
  readonly isError: boolean;

  constructor(parts: {
    structured?: T;
    /** Text for the model; by default the structured output as JSON. */
    text?: string;
    content?: ContentBlock[];
    meta?: Record<string, unknown>;
    isError?: boolean;
  }) {
    this.structured = parts.structured;
    this.content = parts.content ?? [{ type: 'text', text: parts.text ?? JSON.stringify(parts.structured ?? null) }];
    this.meta = parts.meta;
    this.isError = parts.isError ?? false;
  }
}

/** A tool may answer with a question to the person first; see `inputRequired` of the MCP SDK. */
export type ToolAnswer<T> = T | Reply<T> | InputRequiredResult;

export function isInputRequired(answer: unknown): answer is InputRequiredResult {
  return (
    typeof answer === 'object' && answer !== null && 'resultType' in answer && answer.resultType === 'input_required'
  );
}

export function toCallToolResult(answer: unknown): CallToolResult {
  const reply = answer instanceof Reply ? answer : new Reply({ structured: answer });
  return {
    content: reply.content,
    ...(reply.structured === undefined ? {} : { structuredContent: reply.structured as Record<string, unknown> }),
    ...(reply.meta ? { _meta: reply.meta } : {}),
    ...(reply.isError ? { isError: true } : {}),
  };
}
