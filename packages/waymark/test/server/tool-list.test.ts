import { tmpdir } from 'node:os';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCatalog, createRoots, silentLogger, type Toolset } from '../../src/kit/index.ts';
import { createServices } from '../../src/server/services.ts';
import { loadToolsets, toolsetNames } from '../../src/server/toolsets.ts';

let toolsets: Toolset[] = [];
beforeAll(async () => {
  const roots = await createRoots([tmpdir()]);
  toolsets = await loadToolsets(toolsetNames, createServices({ dataDirectory: tmpdir(), roots, log: silentLogger }));
});

/** What a host puts before the model: name, description and input schema. */
const tokensOf = ({ name, description, inputSchema }: { name: string; description: string; inputSchema: object }) =>
  encode(JSON.stringify({ name, description, inputSchema })).length;

describe('the list of tools', () => {
  test('stays within 6,000 tokens for the core of everything', () => {
    const tools = createCatalog(toolsets, { tier: 'core' }).listTools();
    const total = tools.map(tokensOf).reduce((sum, tokens) => sum + tokens, 0);
    expect(total, `${tools.length} tools`).toBeLessThanOrEqual(6_000);
  });

  test('takes at most 150 tokens per tool on average, in every toolset', () => {
    for (const toolset of toolsets) {
      const tools = createCatalog([toolset]).listTools();
      const total = tools.map(tokensOf).reduce((sum, tokens) => sum + tokens, 0);
      const largest = tools
        .map((tool) => `${tool.name} ${tokensOf(tool)}`)
        .toSorted((left, right) => Number(right.split(' ')[1]) - Number(left.split(' ')[1]));
      expect(total / tools.length, `${toolset.name}: ${largest.slice(0, 5).join(', ')}`).toBeLessThanOrEqual(150);
    }
  });

  test('has a title, a description, annotations and an output schema on every tool, and no $schema', () => {
    for (const tool of createCatalog(toolsets).listTools()) {
      expect(tool.title, tool.name).toBeTruthy();
      expect(tool.description.length, tool.name).toBeGreaterThan(20);
      expect(tool.outputSchema, tool.name).toBeDefined();
      expect(Object.keys(tool.annotations)).toHaveLength(5);
      expect(JSON.stringify(tool)).not.toContain('"$schema"');
    }
  });

  test('names every tool once, in the same order each time', () => {
    const names = createCatalog(toolsets)
      .listTools()
      .map((tool) => tool.name);
    expect(new Set(names).size).toBe(names.length);
    expect(
      createCatalog(toolsets)
        .listTools()
        .map((tool) => tool.name),
    ).toEqual(names);
  });
});
