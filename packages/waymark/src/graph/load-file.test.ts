import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GraphFileError, loadGraphFile, loadMcpFile, openGraphFile } from './load-file.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'waymark-load-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const header = 'version: "1.0"\nserver: { name: test, version: "1.0.0" }\n';

describe('files of servers', () => {
  test('are read whatever else they hold', () => {
    const path = file(
      'mcp.json',
      '{\n\t"mcpServers": {\n\t\t"a": { "command": "x", "args": ["${N:-1}"], "disabled": false },\n\t\t"b": { "url": "http://b/" }\n\t},\n\t"other": 1\n}',
    );
    const servers = loadMcpFile(path, {});
    expect([...(servers ?? [])].map(([name, { type, source }]) => `${name} ${type} ${source}`)).toEqual([
      'a stdio external',
      'b http external',
    ]);
    expect(servers?.get('a')).toMatchObject({ args: ['1'] });
  });

  test('may name none', () => {
    expect(loadMcpFile(file('none.json', '{"mcpServers": {}}'), {})).toBeUndefined();
    expect(loadMcpFile(file('other.json', '{}'), {})).toBeUndefined();
  });

  test('are refused when they are missing or wrong', () => {
    expect(() => loadMcpFile(join(directory, 'missing.json'), {})).toThrow(
      `MCP file not found: ${join(directory, 'missing.json')}`,
    );
    expect(() => loadMcpFile(file('wrong.json', '{"mcpServers": {"a": {"type": "nope"}}}'), {})).toThrow(
      GraphFileError,
    );
    expect(() => loadMcpFile(file('broken.json', '{"mcpServers": '), {})).toThrow('MCP file is not valid');
  });

  test('stand behind the graph’s own', () => {
    const mcpFile = file('more.json', '{"mcpServers": {"shared": {"command": "file"}, "only": {"command": "file"}}}');
    const graph = file('graph.yaml', `${header}mcpServers: { shared: { command: graph } }\n`);
    const document = openGraphFile(graph, { mcpFile });
    expect([...document.servers].map(([name, server]) => `${name} ${server.source}`)).toEqual([
      'shared graph',
      'only external',
    ]);
  });
});

describe('graph files', () => {
  test('bring the files they name', () => {
    file('inner.yaml', header.replace('test', 'inner'));
    const path = file('outer.yaml', `${header}graphs: { inner: ./inner.yaml }\n`);
    expect(openGraphFile(path).graphs.get('inner')?.server.name).toBe('inner');
    expect(loadGraphFile(file('lost.yaml', `${header}graphs: { inner: ./nowhere.yaml }\n`)).problems).toMatchObject([
      { code: 'missing-file' },
    ]);
  });

  test('that cannot be read are told apart', () => {
    expect(() => openGraphFile(join(directory, 'nowhere.yaml'))).toThrow('Graph file not found');
    expect(() => openGraphFile(directory)).toThrow('cannot be read (EISDIR)');
    expect(() => openGraphFile(file('bad.yaml', 'version: 1\n'))).toThrow(
      /^Graph validation failed: .*bad\.yaml:1:10 error wrong-type/,
    );
  });
});
