import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { annotate, type CompiledSchema, type Context, defineTool, Reply, type Tool } from '../../src/kit/index.ts';

/** The fixtures speak to the protocol itself, which the product's own tools never do. */
export interface FixtureContext extends Context {
  readonly mcp: ServerContext;
}

export function extendContext(context: Context, mcp: ServerContext): FixtureContext {
  return { ...context, mcp };
}

/** A tool of the conformance suite: only its name and what it answers matter. */
export function fixture<Input = Record<string, never>>(
  name: string,
  run: (context: FixtureContext, input: Input) => unknown,
  input: z.ZodType<Input> | CompiledSchema<Input> = z.object({}) as unknown as z.ZodType<Input>,
): Tool {
  return defineTool({
    name,
    title: name,
    description: `Fixture of the conformance suite: ${name.replaceAll('_', ' ')}.`,
    input,
    annotations: annotate.read,
    scopes: [],
    run: (value, context) => run(context as FixtureContext, value),
  });
}

export function text(value: string): Reply {
  return new Reply({ text: value });
}
