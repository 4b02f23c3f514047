import { z } from 'zod';

export const nothing = z.strictObject({});
export const toolName = z.string().min(1).describe('Name of a tool of this graph');
export const definition = z
  .looseObject({ name: z.string().min(1) })
  .describe('Tool: {name, description, inputSchema, outputSchema, nodes: [...]}');
export const data = z.record(z.string(), z.unknown());
