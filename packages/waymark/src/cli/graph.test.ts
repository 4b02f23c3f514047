import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
const filesystem = join(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json'),
  '../dist/index.js',
);

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'waymark-graph-'));
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(directory, name), name);
});
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function waymark(args: readonly string[], input?: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, 'graph', ...args], { cwd: directory });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(input);
  });
}

const sums = `version: "1.0"
server: { name: sums, version: "1.0.0" }
tools:
  - name: add
    description: Adds
    inputSchema: { type: object, properties: { a: { type: number }, b: { type: number } }, required: [a, b] }
    nodes:
      - { id: entry, type: entry, next: sum }
      - { id: sum, type: transform, transform: { expr: '{ "sum": $.entry.a + $.entry.b }' }, next: exit }
      - { id: exit, type: exit }
  - name: ask
    description: Asks
    inputSchema: { type: object }
    nodes:
      - { id: entry, type: entry, next: sure }
      - { id: sure, type: approve, message: Sure?, next: exit }
      - { id: exit, type: exit }
tests:
  - { name: adds, tool: add, args: { a: 1, b: 2 }, expect: { sum: 3 } }
`;

/** The example of the specification, with the server started by node instead of npx. */
const countFiles = () => `version: "1.0"

# MCP Server Metadata
server:
  name: "fileUtils"
  version: "1.0.0"
  title: "File utilities"
  instructions: "This server provides file utility tools for counting files in directories."

executionLimits:
  maxNodeExecutions: 1000
  maxExecutionTimeMs: 300000

mcpServers:
  filesystem:
    command: "node"
    args:
      - ${JSON.stringify(filesystem)}
      - ${JSON.stringify(directory)}

tools:
  - name: "count_files"
    description: "Counts the number of files in a directory"
    inputSchema:
      type: "object"
      properties:
        directory:
          type: "string"
          description: "The directory path to count files in"
      required:
        - directory
    outputSchema:
      type: "object"
      properties:
        count:
          type: "number"
          description: "The number of files in the directory"
    nodes:
      - id: "entry"
        type: "entry"
        next: "list_directory_node"
      - id: "list_directory_node"
        type: "mcp"
        server: "filesystem"
        tool: "list_directory"
        args:
          path: "$.entry.directory"
        next: "count_files_node"
      - id: "count_files_node"
        type: "transform"
        transform:
          expr: '{ "count": $count($split($.list_directory_node.content, "\\n")) }'
        next: "exit"
      - id: "exit"
        type: "exit"
`;

describe('waymark graph run', () => {
  test('prints the result as JSON and exits with 0', async () => {
    const path = file('sums.yaml', sums);
    expect(await waymark(['run', path, 'add', '--args', '{"a": 2, "b": 3}'])).toEqual({
      code: 0,
      stdout: '{\n  "sum": 5\n}\n',
      stderr: '',
    });
    const args = file('args.json', '{"a": 1, "b": 1}');
    const traced = await waymark(['run', path, 'add', '--args', `@${args}`, '--trace']);
    expect(JSON.parse(traced.stdout)).toEqual({ sum: 2 });
    expect(traced.stderr).toMatch(/0 .*entry \(entry\).*\n.*1 .*sum \(transform\) \{"sum":2\}/);
  });

  test('runs the example of the specification with the real filesystem server [GRAPH-062] [GRAPH-063] [GRAPH-033] [GRAPH-066]', async () => {
    const inner = mkdtempSync(join(directory, 'count-'));
    for (let index = 0; index < 7; index++) writeFileSync(join(inner, `${index}.txt`), 'x');
    const path = file('count.yaml', countFiles());
    const { stdout, stderr, code } = await waymark([
      'run',
      path,
      'count_files',
      '--args',
      JSON.stringify({ directory: inner }),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ count: 7 });
    rmSync(inner, { recursive: true });
  });

  test.each([
    [
      'wrong arguments',
      ['add', '--args', '{"a": "x", "b": 1}'],
      1,
      /add failed \(INVALID_INPUT\): .*a: must be number/,
    ],
    ['an unknown tool', ['ad', '--args', '{}'], 2, /There is no tool "ad".*Did you mean "add"\?/],
    ['no tool where there are several', [], 2, /Say which tool: add, ask/],
    ['arguments that are no JSON', ['add', '--args', '{a: 1}'], 2, /--args is not JSON/],
    ['arguments that are no object', ['add', '--args', '[1]'], 2, /--args must be a JSON object/],
    ['an unknown flag', ['add', '--arg', '{}'], 2, /unknown option '--arg'.*--args/],
    ['nobody to ask', ['ask'], 1, /ask failed at node "sure" \(REJECTED\)/],
  ])('%s', async (_name, args, code, message) => {
    const result = await waymark(['run', file('sums.yaml', sums), ...args]);
    expect(result.code).toBe(code);
    expect(result.stdout).toBe('');
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toContain('    at ');
  });

  test('a missing file is a mistake of the command, a broken one is not', async () => {
    expect(await waymark(['run', 'none.yaml', 'x'])).toMatchObject({
      code: 2,
      stderr: 'waymark: Graph file not found: none.yaml\n',
    });
    expect(await waymark(['run', file('broken.yaml', 'version: 1'), 'x'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(':1:10 error wrong-type'),
    });
  });

  test('approvals can be answered on the command line, nodes mocked, servers left alone', async () => {
    const path = file('sums.yaml', sums);
    const approved = await waymark(['run', path, 'ask', '--approve', 'yes']);
    expect(JSON.parse(approved.stdout)).toMatchObject({ approved: true });
    const mocked = await waymark(['run', path, 'add', '--args', '{"a":1,"b":1}', '--mock', 'sum={"sum":99}']);
    expect(JSON.parse(mocked.stdout)).toEqual({ sum: 99 });
    const dry = await waymark([
      'run',
      file('count.yaml', countFiles()),
      'count_files',
      '--args',
      '{"directory":"/x"}',
      '--dry-run',
      '--mock',
      'count_files_node=0',
      '--trace',
    ]);
    expect(dry.stderr).toContain('"args":{"path":"/x"}');
  });
});

describe('waymark graph check', () => {
  test('prints nothing and exits with 0 when all is well; problems with their places otherwise', async () => {
    expect(await waymark(['check', file('sums.yaml', sums)])).toEqual({ code: 0, stdout: '', stderr: '' });
    const path = file('wrong.yaml', sums.replace('next: sum }', 'next: sun }').replace('id: sum', 'id: sum, nxt: x'));
    const { code, stdout } = await waymark(['check', path]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^.*wrong\.yaml:8:\d+ error missing-target Node "entry" in tool "add" references non-existent next node "sun"; did you mean "sum"\?$/m,
    );
    expect(stdout).toMatch(
      /^.*wrong\.yaml:9:\d+ error unknown-key The transform node "sum" has no "nxt"; did you mean "next"\?$/m,
    );
    const json = await waymark(['check', path, '--json']);
    expect(JSON.parse(json.stdout)).toContainEqual(
      expect.objectContaining({
        code: 'missing-target',
        line: 8,
        path: 'tools[0].nodes[0].next',
        severity: 'error',
        node: 'entry',
      }),
    );
    expect(await waymark(['check', 'none.yaml'])).toMatchObject({ code: 2 });
  });
});

describe('waymark graph', () => {
  test('shows its commands, and the nearest one to a typo', async () => {
    const help = await waymark([]);
    expect(help.code).toBe(0);
    for (const command of ['run', 'check', 'test', 'render', 'serve', 'toolkit'])
      expect(help.stdout).toContain(`  ${command} `);
    expect(await waymark(['chek'])).toMatchObject({
      code: 2,
      stderr: 'waymark: Unknown command "graph chek". Did you mean "check"?\n',
    });
  });
});

describe('waymark graph test', () => {
  test('runs the tests of the file and replays recorded runs', async () => {
    const path = file('sums.yaml', sums);
    const recorded = join(directory, 'run.json');
    await waymark(['run', path, 'add', '--args', '{"a": 4, "b": 5}', '--record', recorded]);
    expect(await waymark(['test', path, '--replay', recorded])).toMatchObject({
      code: 0,
      stdout: `ok adds\nok replay ${recorded}\n2 of 2 passed\n`,
    });
    const changed = file('changed.yaml', sums.replace('$.entry.a + $.entry.b', '$.entry.a - $.entry.b'));
    expect(await waymark(['test', changed, '--replay', recorded])).toMatchObject({
      code: 1,
      stdout: `not ok adds: expected {"sum":3}, got {"sum":-1}\nnot ok replay ${recorded}: sum was {"sum":9}, is {"sum":-1}\n0 of 2 passed\n`,
    });
    expect(await waymark(['test', file('none.yaml', 'version: "1"\nserver: { name: a, version: "1" }')])).toMatchObject(
      { code: 1 },
    );
  });
});

describe('waymark graph render', () => {
  test('draws Mermaid and SVG', async () => {
    const path = file('sums.yaml', sums);
    const { stdout } = await waymark(['render', path, 'add']);
    expect(stdout).toMatch(/^flowchart TD\n.*n0 --> n1\n {2}n1 --> n2\n$/s);
    const picture = join(directory, 'add.svg');
    expect(await waymark(['render', path, 'add', '--format', 'svg', '-o', picture])).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(readFileSync(picture, 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
    expect(await waymark(['render', path, 'add', '--format', 'png'])).toMatchObject({ code: 2 });
  });
});

describe('waymark graph serve', () => {
  const messages = (...list: object[]) =>
    list.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })).join('\n') + '\n';
  const initialize = {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  };
  const ready = { method: 'notifications/initialized' };

  /** Sends messages, and closes stdin when the answer to the last of them has come. */
  function talk(args: readonly string[], ...list: object[]): Promise<Record<string, unknown>[]> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [bin, 'graph', ...args], { cwd: directory });
      const last = (list.at(-1) as { id?: number }).id;
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes(`"id":${last}`) && text.endsWith('\n')) child.stdin.end();
      });
      child.on('close', () =>
        resolve(
          text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as Record<string, unknown>),
        ),
      );
      child.stdin.write(messages(...list));
    });
  }

  test("serves exactly the file's tools under the file's name, and ends with its client [GRAPH-008] [GRAPH-029] [GRAPH-044] [GRAPH-070] [GRAPH-010]", async () => {
    const path = file(
      'served.yaml',
      sums.replace('version: "1.0.0" }', 'version: "1.0.0", title: Sums, instructions: Add things }'),
    );
    const answers = await talk(
      ['serve', '-g', path],
      initialize,
      ready,
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'add', arguments: { a: 20, b: 22 } } },
    );
    const result = (id: number) => answers.find((answer) => answer['id'] === id)?.['result'];
    expect(result(1)).toMatchObject({
      serverInfo: { name: 'sums', version: '1.0.0', title: 'Sums' },
      instructions: 'Add things',
    });
    expect((result(2) as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual(['add', 'ask']);
    expect(result(3)).toMatchObject({
      structuredContent: { sum: 42 },
      content: [{ type: 'text', text: '{"sum":42}' }],
    });
  });

  test('the toolkit serves its thirteen tools', async () => {
    const answers = await talk(['toolkit', '-g', file('sums.yaml', sums)], initialize, ready, {
      id: 2,
      method: 'tools/list',
    });
    const listed = answers.find((answer) => answer['id'] === 2)?.['result'] as { tools: unknown[] } | undefined;
    expect(listed?.tools).toHaveLength(13);
  });
});
