import { z } from 'zod';
import type { InputIssue } from './tool-error.ts';
import { nearest } from './nearest.ts';

export type JsonSchema = Record<string, unknown>;

export type Parsed<T> = { ok: true; value: T } | { ok: false; issues: InputIssue[] };

/** A schema in both its forms: what is advertised and what checks. Built once, when a tool is defined. */
export interface CompiledSchema<T> {
  readonly json: JsonSchema;
  parse(value: unknown): Parsed<T>;
}

export type SchemaSource<T> = z.ZodType<T> | CompiledSchema<T>;

export function compileSchema<T>(source: SchemaSource<T>, io: 'input' | 'output'): CompiledSchema<T> {
  if (!(source instanceof z.ZodType)) return source;
  let json: JsonSchema | undefined;
  return {
    get json() {
      return (json ??= toJsonSchema(source, io));
    },
    parse(value) {
      const result = source.safeParse(value);
      return result.success ? { ok: true, value: result.data } : { ok: false, issues: describe(result.error, source) };
    },
  };
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _omitted, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

function describe(error: z.ZodError, schema: z.ZodType): InputIssue[] {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    if (issue.code !== 'unrecognized_keys' || path) return { path, message: issue.message, code: issue.code };
    const hints = issue.keys.map((key) => {
      const suggestion = nearest(key, known);
      return suggestion ? `unknown argument "${key}"; did you mean "${suggestion}"?` : `unknown argument "${key}"`;
    });
    return { path, message: `${hints.join('; ')} (known: ${known.join(', ')})`, code: issue.code };
  });
}
