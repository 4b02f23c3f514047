import type { GetPromptResult, InputRequiredResult, ReadResourceResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Context } from './context.ts';
import type { Tool } from './tool.ts';
import { Reply } from './result.ts';
import type { ToolError } from './tool-error.ts';
import type { Scope } from './scope.ts';

type Awaitable<T> = T | Promise<T>;

export interface ResourceDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly scopes: readonly Scope[];
  /** A plain URI, or an RFC 6570 template such as `hnpx://{book}/nodes/{id}`. */
  readonly uri: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The concrete resources behind a template, as far as they are worth listing. */
  list?(context: Context): Awaitable<{ uri: string; name: string; title?: string; description?: string }[]>;
  read(uri: string, variables: Readonly<Record<string, string>>, context: Context): Awaitable<ReadResourceResult>;
  /** `given` holds the variables already filled in. */
  complete?(
    variable: string,
    typed: string,
    context: Context,
    given: Readonly<Record<string, string>>,
  ): Awaitable<string[]>;
}

export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scopes: readonly Scope[];
  readonly arguments: z.ZodObject;
  get(args: Record<string, string>, context: Context): Awaitable<GetPromptResult | InputRequiredResult>;
  complete?(
    argument: string,
    typed: string,
    context: Context,
    given: Readonly<Record<string, string>>,
  ): Awaitable<string[]>;
}

export interface ToolsetDefinition {
  readonly name: string;
  readonly title: string;
  /** A few sentences for the model, sent once per connection. */
  readonly instructions: string;
  /** A function where the tools follow something that changes, such as a file; then `onChange` says when. */
  readonly tools: readonly Tool[] | (() => readonly Tool[]);
  readonly resources?: readonly ResourceDefinition[];
  readonly prompts?: readonly PromptDefinition[];
  /** `what` is the list that changed; by default the tools. */
  onChange?(listener: (what?: 'tools' | 'prompts') => void): () => void;
  /** Gives a refusal the wire shape of this toolset's contract. */
  readonly onError?: (error: ToolError, toolName: string, context: Context) => Reply;
  /** Ends what the toolset holds open. */
  close?(): Promise<void>;
}

export interface Toolset extends Omit<ToolsetDefinition, 'tools' | 'onError'> {
  readonly tools: () => readonly Tool[];
  readonly onError: (error: ToolError, toolName: string, context: Context) => Reply;
}

export function defineToolset(definition: ToolsetDefinition): Toolset {
  const { tools, onError = plainError } = definition;
  return { ...definition, tools: typeof tools === 'function' ? tools : () => tools, onError };
}

function plainError(error: ToolError): Reply {
  return new Reply({ structured: { error: error.code, message: error.message, ...error.details }, isError: true });
}
