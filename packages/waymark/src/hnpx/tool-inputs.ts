import { z } from 'zod';
import { compileSchema, type CompiledSchema } from '../kit/index.ts';

export const filePath = z.string().describe('Path of the book');
export const nodeId = z.string();
export const expectedRevision = z.string().nullish().describe('Refuse if the book is at another revision');

/** Where a new or moved node goes among its siblings. */
export const insertPosition = {
  position: z.number().nullish().describe('From 0; default: last'),
  before_id: z.string().nullish(),
  after_id: z.string().nullish(),
};

/** Advertises an argument as required that the handler itself checks, because only the book can tell. */
export function alsoRequired<T>(schema: z.ZodType<T>, ...names: string[]): CompiledSchema<T> {
  const compiled = compileSchema(schema, 'input');
  const required = [...((compiled.json['required'] as string[] | undefined) ?? []), ...names];
  return { json: { ...compiled.json, required }, parse: (value) => compiled.parse(value) };
}

/** Accepts other names of arguments: those of other HNPX servers, and those of the attributes they become. */
export function renamed(names: Readonly<Record<string, string>>) {
  return (raw: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(raw).map(([name, value]) => [names[name] ?? name, value]));
}
