import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { nearest } from '../../kit/nearest.ts';
import { type Cursor, SyntaxFailure } from './cursor.ts';
import { allShapeNames, shortShapeName } from './shapes.ts';
import type { AttributesSyntax } from './syntax.ts';

/** The `@{ … }` behind an id: YAML, in braces when it stands on one line. */
export function parseAttributes(cursor: Cursor): AttributesSyntax {
  const token = cursor.expect('attributes', 'expected "@{"');
  const body = token.text.slice(2, -1).replace(/"[^"]*"/g, (quoted) => quoted.replace(/\n\s*/g, '<br/>'));
  let values: unknown;
  try {
    values = readYaml(body.includes('\n') ? body : `{\n${body}\n}`);
  } catch {
    throw new SyntaxFailure(token.start, 'the attributes in "@{ }" are not valid YAML');
  }
  if (values !== null && (typeof values !== 'object' || Array.isArray(values))) {
    throw new SyntaxFailure(token.start, 'the attributes in "@{ }" must be name: value pairs');
  }
  const record = { ...(values as Record<string, unknown> | null) };
  const shape = record['shape'];
  if (shape && (typeof shape !== 'string' || shortShapeName(shape) === undefined)) {
    const suggestion = typeof shape === 'string' ? nearest(shape, allShapeNames()) : undefined;
    const hint = suggestion ? `; did you mean "${suggestion}"?` : '';
    throw new SyntaxFailure(token.start, `there is no shape ${JSON.stringify(shape)}${hint}`);
  }
  return { values: record, range: cursor.originRange(token) };
}

const load = createRequire(import.meta.url);

/** Few flowcharts have attributes, and a YAML parser is slow to load: it is loaded when one does. */
function readYaml(text: string): unknown {
  const { parse } = load('yaml') as typeof Yaml;
  return parse(text, { schema: 'core', maxAliasCount: 0 });
}
