import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadGraph } from '../load.ts';
import { graphFileSchema } from './format-schema.ts';
import { nodeKeys } from './read-node-types.ts';

const published = new URL('../../../assets/graph.schema.json', import.meta.url);
const validate = new Ajv2020({
  strict: true,
  allErrors: true,
  allowUnionTypes: true,
  strictRequired: false,
  strictTypes: false,
}).compile(graphFileSchema());

const everything = `version: "1.0"
server: { name: all, version: "1.0.0", title: All, instructions: Try it }
executionLimits: { maxNodeExecutions: 50 }
constants: { region: eu }
mcpServers:
  a: { command: a, args: [x], env: { K: v }, cwd: sub, timeoutMs: 5 }
  b: { type: sse, url: "http://b/sse", headers: { A: b } }
  c: { url: "http://c/mcp", bearerToken: t }
  d: { type: waymark, toolset: tasks }
tools:
  - name: t
    title: T
    description: Everything
    inputSchema: { type: object }
    outputSchema: {}
    annotations: { readOnlyHint: true }
    nodes:
      - { id: entry, type: entry, next: get, title: In, description: d }
      - { id: get, type: mcp, server: a, tool: x, args: { p: { expr: $.entry } }, result: full, retry: 3, timeoutMs: 9, cache: true, onError: ask, continueOnError: false, next: fan }
      - { id: fan, type: parallel, branches: [each, sub] }
      - { id: each, type: foreach, items: $.entry.xs, as: x, concurrency: 2, itemErrors: keep, nodes: [{ id: one, type: transform, transform: { expr: $.x } }], next: both }
      - { id: sub, type: call, tool: t, args: {}, cache: { ttlMs: 5, key: "1" }, next: both }
      - { id: both, type: join, mode: settled, next: pick }
      - { id: pick, type: switch, conditions: [{ rule: { "!": 1 }, next: nap }], next: ask }
      - { id: nap, type: wait, ms: 5, next: ask }
      - { id: ask, type: approve, message: Sure?, form: { type: object }, rejected: exit, next: exit, retry: { attempts: 2, jitter: 0.5, on: [TIMEOUT] } }
      - { id: exit, type: exit }
tests:
  - { name: n, tool: t, args: {}, mocks: {}, expect: 1, path: [] }
`;

type Tree = Record<string, unknown> & unknown[];

/** Every place in a value, as a path. */
function placesIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return [path, ...entries.flatMap(([key, item]) => placesIn(item, [...path, key]))];
}

function changeAt(
  value: unknown,
  path: readonly (string | number)[],
  change: (parent: Tree, key: string | number) => void,
): unknown {
  const copy = structuredClone(value) as Tree;
  const parent = path.slice(0, -1).reduce<Tree>((found, step) => found[step as number] as Tree, copy);
  const key = path.at(-1);
  if (key !== undefined) change(parent, key);
  return copy;
}

const isAccepted = (value: unknown) => loadGraph(JSON.stringify(value), { file: 'x', workingDirectory: '/' }).ok;

describe('the published schema of graph files', () => {
  test('is what the loader reads by, written out', () => {
    const text = `${JSON.stringify(graphFileSchema(), null, 2)}\n`;
    if (process.env['WAYMARK_UPDATE']) writeFileSync(published, text);
    expect(readFileSync(published, 'utf8')).toBe(text);
  });

  test('accepts a file that uses everything, as the loader does', () => {
    const value: unknown = parse(everything);
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
    expect(isAccepted(value)).toBe(true);
    for (const type of Object.keys(nodeKeys)) expect(everything).toContain(`type: ${type}`);
  });

  test('describes every key', () => {
    const undescribed: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, property] of Object.entries(
        (schema as { properties?: Record<string, Record<string, unknown>> }).properties ?? {},
      )) {
        const isDescribed =
          property['description'] !== undefined || property['$ref'] !== undefined || path.includes('inputSchema');
        if (!isDescribed) undescribed.push(`${path}.${key}`);
      }
      for (const [key, inner] of Object.entries(schema)) visit(inner, `${path}.${key}`);
    };
    visit(graphFileSchema(), '');
    expect(undescribed).toEqual([]);
  });

  test('whatever the loader accepts, the schema accepts: random changes of a file', () => {
    const base: unknown = parse(everything);
    const places = placesIn(base).filter((path) => path.length > 0);
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.oneof(
          fc.constant('delete' as const),
          fc.record({
            set: fc.oneof(
              fc.constantFrom<unknown>('', 'x', 0, 1, -1, 1.5, true, false, null, [], {}),
              fc.string({ maxLength: 5 }),
            ),
          }),
          fc.record({ add: fc.constantFrom('extra', 'next', 'retry', 'timeoutMs', 'args', 'url', 'command', 'title') }),
        ),
        (path, change) => {
          const value = changeAt(base, path, (parent, key) => {
            if (change === 'delete') {
              if (Array.isArray(parent)) parent.splice(key as number, 1);
              else delete parent[key as string];
            } else if ('set' in change) {
              parent[key as number] = change.set;
            } else if (
              typeof parent[key as number] === 'object' &&
              parent[key as number] !== null &&
              !Array.isArray(parent[key as number])
            ) {
              (parent[key as number] as Record<string, unknown>)[change.add] = 'x';
            }
          });
          if (!isAccepted(value)) return;
          accepted++;
          expect(validate(withoutNulls(value)), JSON.stringify([path, change, validate.errors?.slice(0, 3)])).toBe(
            true,
          );
        },
      ),
      { numRuns: process.env['WAYMARK_FULL'] ? 5000 : 400 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  test.each([
    ['tools', 0, 'nodes', 1, 'nxt'],
    ['server', 'titel'],
    ['mcpServers', 'a', 'envs'],
    ['executionLimits', 'maxNodes'],
    ['tests', 0, 'expects'],
    ['exta'],
  ])('unknown keys are refused by both: %s', (...path) => {
    const value = changeAt(parse(everything), path, (parent, key) => (parent[key as number] = 'x'));
    expect(validate(value)).toBe(false);
    expect(isAccepted(value)).toBe(false);
  });
});

/** The loader takes a key without a value for one that is not there. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === null ? [] : [[key, withoutNulls(item)]])),
  );
}
