import { z } from 'zod';
import type { Context } from './context.ts';
import type { ToolAnswer } from './result.ts';
import { compileSchema, type CompiledSchema, type JsonSchema, type SchemaSource } from './schema.ts';
import type { Scope } from './scope.ts';

export interface ToolAnnotations {
  /** Changes nothing. Only such tools remain under `--read-only`. */
  readonly readOnly: boolean;
  /** May remove or overwrite something that cannot be had back. */
  readonly destructive: boolean;
  /** Calling it again with the same arguments changes nothing further. */
  readonly idempotent: boolean;
  /** Reaches things outside Waymark (the network, other servers). */
  readonly openWorld: boolean;
}

export interface ToolDefinition<Input, Output> {
  readonly name: string;
  readonly title: string;
  /** Written for a model: when to use it, what comes back, one example. */
  readonly description: string;
  readonly input: SchemaSource<Input>;
  readonly output?: SchemaSource<Output>;
  readonly annotations: ToolAnnotations;
  readonly scopes: readonly Scope[];
  /** `core`: in the contract, served everywhere. `more`: served where the toolset is asked for by name. */
  readonly tier?: 'core' | 'more';
  /** Names of earlier versions: accepted in calls, never listed. */
  readonly aliases?: readonly string[];
  /** The descriptor's `_meta`: widgets, security schemes and the like. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** What a host may need to sign in for this tool alone; listed beside the descriptor's own fields. */
  readonly securitySchemes?: readonly Readonly<Record<string, unknown>>[];
  /** Rewrites raw arguments before they are checked, for arguments of earlier versions. */
  readonly prepare?: (raw: Record<string, unknown>) => Record<string, unknown>;
  readonly run: (input: Input, context: Context) => ToolAnswer<Output> | Promise<ToolAnswer<Output>>;
}

/** A tool ready to serve: schemas compiled, descriptor built on first use and kept. */
export interface Tool {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly tier: 'core' | 'more';
  readonly scopes: readonly Scope[];
  readonly annotations: ToolAnnotations;
  readonly input: CompiledSchema<unknown>;
  readonly output: CompiledSchema<unknown> | undefined;
  /** Whether an error may carry structured content: not where the advertised schema leaves no room for it. */
  readonly structuredErrors: boolean;
  readonly descriptor: ToolDescriptor;
  readonly prepare: ((raw: Record<string, unknown>) => Record<string, unknown>) | undefined;
  readonly run: (input: unknown, context: Context) => unknown;
}

/** The entry of `tools/list`. */
export interface ToolDescriptor {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { type: 'object' };
  readonly outputSchema?: JsonSchema & { type: 'object' };
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly securitySchemes?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Record<string, unknown>;
}

export function defineTool<Input, Output>(definition: ToolDefinition<Input, Output>): Tool {
  const input = compileSchema(definition.input, 'input');
  const output = definition.output && compileSchema(definition.output, 'output');
  let descriptor: ToolDescriptor | undefined;
  return {
    name: definition.name,
    aliases: definition.aliases ?? [],
    tier: definition.tier ?? 'core',
    scopes: definition.scopes,
    annotations: definition.annotations,
    input,
    output,
    structuredErrors: definition.output === undefined || admitsErrors(definition.output),
    get descriptor() {
      return (descriptor ??= describeTool(definition, input.json, output?.json));
    },
    prepare: definition.prepare,
    run: definition.run as Tool['run'],
  };
}

function describeTool<Input, Output>(
  definition: ToolDefinition<Input, Output>,
  input: JsonSchema,
  output: JsonSchema | undefined,
): ToolDescriptor {
  const { title, annotations } = definition;
  return {
    name: definition.name,
    title,
    description: definition.description,
    inputSchema: { ...input, type: 'object' },
    ...(output ? { outputSchema: advertise(output, admitsErrors(definition.output)) } : {}),
    annotations: {
      title,
      readOnlyHint: annotations.readOnly,
      destructiveHint: annotations.destructive,
      idempotentHint: annotations.idempotent,
      openWorldHint: annotations.openWorld,
    },
    ...(definition.securitySchemes ? { securitySchemes: definition.securitySchemes } : {}),
    ...(definition.meta ? { _meta: { ...definition.meta } } : {}),
  };
}

/** A schema from a file is advertised as it stands; one of ours also describes refusals. */
function admitsErrors(source: SchemaSource<unknown> | undefined): boolean {
  return source instanceof z.ZodType;
}

/**
 * Clients of the previous SDK check the structured content of errors against the output schema too,
 * and would show their own complaint instead of ours. Every refusal has an `error`, so the schema allows that.
 */
function advertise({ $defs, ...output }: JsonSchema, withErrors: boolean): JsonSchema & { type: 'object' } {
  const definitions = $defs === undefined ? {} : { $defs };
  if (!withErrors) return { ...output, type: 'object', ...definitions };
  const refusal = { type: 'object', properties: { error: {} }, required: ['error'] };
  return { type: 'object', anyOf: [{ ...output, type: 'object' }, refusal], ...definitions };
}

/** The usual combinations of annotations, by what a tool does. */
export const annotate = {
  read: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  add: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  change: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  remove: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
} as const satisfies Record<string, ToolAnnotations>;
