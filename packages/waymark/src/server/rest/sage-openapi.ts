import { z } from 'zod';
import type { SageRoute } from './sage-routes.ts';

const refusal = {
  description: 'Refused: a code, a message, and what it concerns',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { error: { type: 'string' }, message: { type: 'string' } },
        required: ['error', 'message'],
      },
    },
  },
};

/** The OpenAPI document of the tutor's routes, made from the schemas that check them. */
export function describeSageApi(routes: readonly SageRoute[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    const query = route.query ? Object.entries(route.query.shape) : [];
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, {
      [route.method.toLowerCase()]: {
        summary: route.summary,
        security: [{ oauth: [route.scope] }],
        parameters: [
          ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
          ...query.map(([name, field]) => ({ name, in: 'query', schema: schemaOf(field as z.ZodType, 'input') })),
        ],
        ...(route.body
          ? { requestBody: { content: { 'application/json': { schema: schemaOf(route.body, 'input') } } } }
          : {}),
        responses: {
          [String(route.status ?? 200)]: {
            description: 'Done',
            content: { 'application/json': { schema: schemaOf(route.answer, 'output') } },
          },
          default: refusal,
        },
      },
    });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Waymark tutor', version },
    paths,
    components: {
      securitySchemes: {
        oauth: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token of this server; not needed where it runs without authentication.',
        },
      },
    },
  };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _omitted, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
