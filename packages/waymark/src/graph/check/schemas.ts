import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { InputIssue } from '../../kit/tool-error.ts';
import { boundedRegExp } from '../expressions/bounded-regexp.ts';
import type { JsonSchemaDocument } from '../model.ts';
import { compilePlainSchema } from './plain-schema.ts';
import type { Report } from '../load/section.ts';
import type { YamlPath } from '../load/yaml-source.ts';

let shared: Ajv2020 | undefined;

const require = createRequire(import.meta.url);

/** JSON Schema 2020-12. Patterns cannot hang, references never leave the document, formats only describe. */
function ajv(): Ajv2020 {
  if (shared) return shared;
  const { Ajv2020: Compiler } = require('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 };
  const RegExp = boundedRegExp(200);
  const regExp = Object.assign((pattern: string, flags: string) => new RegExp(pattern, flags), { code: 'RegExp' });
  shared = new Compiler({
    strict: false,
    allErrors: true,
    validateFormats: false,
    addUsedSchema: false,
    logger: false,
    code: { regExp },
  });
  return shared;
}

/** Reports everything in a schema that is not JSON Schema 2020-12. */
export function checkSchema(
  schema: JsonSchemaDocument,
  path: YamlPath,
  report: Report,
  about: { tool?: string; node?: string },
): void {
  if (compilePlainSchema(schema)) return;
  const validator = ajv();
  if (!validator.validateSchema(schema)) {
    const seen = new Set<string>();
    for (const error of validator.errors ?? []) {
      if (seen.has(error.instancePath)) continue;
      seen.add(error.instancePath);
      report.error([...path, ...pointerSteps(error.instancePath)], 'wrong-schema', schemaMessage(error), about);
    }
    return;
  }
  checkReferences(schema, schema, path, report, about);
}

function schemaMessage({ keyword, message = 'does not fit', params }: ErrorObject): string {
  const allowed: unknown = keyword === 'enum' ? params['allowedValues'] : undefined;
  return `Not valid JSON Schema: ${message}${Array.isArray(allowed) ? ` (${allowed.join(', ')})` : ''}`;
}

function pointerSteps(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

function checkReferences(
  value: unknown,
  root: JsonSchemaDocument,
  path: YamlPath,
  report: Report,
  about: { tool?: string; node?: string },
): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkReferences(item, root, [...path, index], report, about);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples') continue;
    if (key === '$ref' && typeof item === 'string' && !resolves(item, root)) {
      report.error([...path, key], 'wrong-reference', `"${item}" leads nowhere in this schema`, about);
    }
    checkReferences(item, root, [...path, key], report, about);
  }
}

function resolves(reference: string, root: JsonSchemaDocument): boolean {
  if (!reference.startsWith('#')) return typeof root['$id'] === 'string' || hasAnchors(root);
  if (!reference.startsWith('#/')) return true;
  let found: unknown = root;
  for (const step of pointerSteps(decodeURIComponent(reference.slice(1)))) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return false;
    found = (found as Record<string | number, unknown>)[step];
  }
  return true;
}

function hasAnchors(root: JsonSchemaDocument): boolean {
  return JSON.stringify(root).includes('"$id"');
}

export type SchemaCheck = (value: unknown) => readonly InputIssue[];

const compiled = new WeakMap<JsonSchemaDocument, SchemaCheck>();

/** A check of values against a schema, compiled on first use; an empty answer means the value fits. */
export function schemaCheck(schema: JsonSchemaDocument): SchemaCheck {
  let check = compiled.get(schema);
  if (!check) {
    let validate: ValidateFunction | undefined;
    const quick = compilePlainSchema(schema);
    check = (value) => {
      if (quick?.(value)) return [];
      validate ??= ajv().compile(schema);
      return validate(value) ? [] : (validate.errors ?? []).map(toIssue);
    };
    compiled.set(schema, check);
  }
  return check;
}

function toIssue({ instancePath, keyword, message = 'does not fit', params }: ErrorObject): InputIssue {
  const path = pointerSteps(instancePath).join('.');
  const more: unknown = params['allowedValues'] ?? params['additionalProperty'] ?? params['allowedValue'];
  return { path, code: keyword, message: more === undefined ? message : `${message}: ${JSON.stringify(more)}` };
}
