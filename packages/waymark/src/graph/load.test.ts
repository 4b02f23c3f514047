import { describe, expect, test } from 'vitest';
import { load, oneNode, oneTool, problemsOf, resultOf } from './graph.test-helpers.ts';
import { loadGraph } from './load.ts';
import { formatProblem } from './load/yaml-source.ts';

/** Takes the mark « out of a source: the problem must be reported exactly there. */
function marked(source: string): { source: string; place: string } {
  const lines = source.slice(0, source.indexOf('«')).split('\n');
  return { source: source.replace('«', ''), place: `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}` };
}

const header = 'version: "1.0"\nserver: { name: test, version: "1.0.0" }\n';

describe('the three dialects', () => {
  const old = `${header.replace('version: "1.0.0"', 'version: "1.0.0", description: Old style')}
servers: { files: { command: files-server, args: [] } }
tools:
  - { name: count, description: Counts, inputSchema: { type: object }, outputSchema: { type: object } }
  - { name: other, description: Other, inputSchema: { type: object }, outputSchema: { type: object } }
nodes:
  - { id: count_in, type: entry, tool: count, next: pick }
  - id: pick
    type: switch
    conditions:
      - { rule: { ">": [{ var: "$.count_in.n" }, 1] }, target: many }
      - { target: shared }
  - { id: many, type: transform, transform: { expr: '{ "many": $.input.n }' }, next: count_out }
  - { id: shared, type: transform, transform: { expr: '{ "few": true }' }, next: count_out }
  - { id: count_out, type: exit, tool: count }
  - { id: other_in, type: entry, tool: other, next: other_out }
  - { id: other_out, type: exit, tool: other }
`;

  test('nodes beside the tools belong to the tool their entry and exit name [GRAPH-053] [GRAPH-030]', async () => {
    const document = load(old);
    expect(document.dialect).toBe('old');
    expect([...(document.tools.get('count')?.body.nodes.keys() ?? [])].toSorted()).toEqual([
      'count_in',
      'count_out',
      'many',
      'pick',
      'shared',
    ]);
    expect([...(document.tools.get('other')?.body.nodes.keys() ?? [])]).toEqual(['other_in', 'other_out']);
    expect(await resultOf(document, { n: 5 }, { tool: 'count' })).toEqual({ many: 5 });
    expect(await resultOf(document, { n: 1 }, { tool: 'count' })).toEqual({ few: true });
    expect(await resultOf(document, { a: 1 }, { tool: 'other' })).toEqual({ a: 1 });
  });

  const mcp = (args: string, more = '') =>
    oneNode(
      `{ id: work, type: mcp, server: s, tool: x, args: ${args}, next: exit }`,
      `mcpServers: { s: { command: c } }\n${more}`,
    );
  const argumentsOf = (source: string) => {
    const node = load(source).tools.get('t')?.body.nodes.get('work');
    return node?.type === 'mcp' ? node.args : undefined;
  };
  const expression = (text: string) => ({ kind: 'expression', expression: expect.objectContaining({ text }) });

  test('arguments that start with $ are expressions where nothing says otherwise [GRAPH-066]', () => {
    const source = mcp('{ path: "$.entry.directory", price: "$5.00", nested: { same: "$.entry" } }');
    expect(argumentsOf(source)).toMatchObject({
      kind: 'object',
      entries: [
        ['path', expression('$.entry.directory')],
        ['price', { kind: 'literal', value: '$5.00' }],
        ['nested', { kind: 'literal', value: { same: '$.entry' } }],
      ],
    });
    expect(load(source).dialect).toBe('dollar');
    expect(problemsOf(source).map((problem) => problem.split(' ')[0])).toEqual(['dollar-argument', 'dollar-text']);
  });

  test('a node of a newer kind does not change how $ texts are read', () => {
    const source = mcp('{ a: "$.entry.a" }').replace(
      'next: exit }',
      'next: pause }\n      - { id: pause, type: wait, ms: 1, next: exit }',
    );
    expect(argumentsOf(source)).toMatchObject({ entries: [['a', expression('$.entry.a')]] });
  });

  test('one {expr} in the file makes $ texts literal, with a warning', () => {
    const source = mcp('{ path: { expr: $.entry.a }, text: "$.entry.b", list: [{ expr: "1" }, 2] }');
    expect(argumentsOf(source)).toMatchObject({
      entries: [
        ['path', expression('$.entry.a')],
        ['text', { value: '$.entry.b' }],
        ['list', { kind: 'array', items: [expression('1'), { value: 2 }] }],
      ],
    });
    expect(load(source).dialect).toBe('expr');
    expect(problemsOf(source)).toEqual([expect.stringContaining('dollar-literal tools[0].nodes[1].args.text')]);
  });

  test('`expressions` decides where it is said', () => {
    expect(argumentsOf(mcp('{ a: "$.entry" }', 'expressions: explicit'))).toEqual({
      kind: 'literal',
      value: { a: '$.entry' },
    });
    expect(argumentsOf(mcp('{ a: "$.entry" }', 'expressions: dollar'))).toMatchObject({
      entries: [['a', expression('$.entry')]],
    });
    const { source, place } = marked(mcp('{ a: "$5.0«0" }', 'expressions: dollar'));
    expect(problemsOf(source)).toEqual([`invalid-expression tools[0].nodes[1].args.a ${place}`]);
  });

  test('a switch with targets makes $ texts expressions, and a mistake in one an error', () => {
    const source = oneTool(
      `      - { id: entry, type: entry, next: work }
      - { id: work, type: mcp, server: s, tool: x, args: { a: "$.entry +" }, next: pick }
      - { id: pick, type: switch, conditions: [{ target: exit }] }
      - { id: exit, type: exit }`,
      'mcpServers: { s: { command: c } }',
    );
    expect(problemsOf(source)).toEqual([expect.stringContaining('invalid-expression tools[0].nodes[1].args.a 10:')]);
  });
});

describe('what a file must say', () => {
  test('server, version and tools, with their defaults [GRAPH-041] [GRAPH-042] [GRAPH-043] [GRAPH-045] [GRAPH-047] [GRAPH-065]', () => {
    const document = load(`${header}`);
    expect(document).toMatchObject({
      version: '1.0',
      server: { name: 'test', title: 'test' },
      limits: { maxNodeExecutions: 1000, maxExecutionTimeMs: 300_000 },
    });
    expect(document.tools.size).toBe(0);
    expect(load(header.replace('version: "1.0.0"', 'version: "1", title: Test, instructions: Do it')).server).toEqual({
      name: 'test',
      version: '1',
      title: 'Test',
      instructions: 'Do it',
    });
    expect(problemsOf(`${header}executionLimits: { expressionTimeoutMs: 60000, maxNodeExecutions: 0 }`)).toEqual([
      'wrong-value executionLimits.expressionTimeoutMs 3:41',
      'wrong-type executionLimits.maxNodeExecutions 3:67',
    ]);
    expect(problemsOf('tools: []')).toEqual(['missing-key  1:1', 'missing-key  1:1']);
    expect(problemsOf('version: "1"\nserver: {}')).toEqual(['missing-key server 2:9', 'missing-key server 2:9']);
    expect(problemsOf('version: 1.0\nserver: { name: a, version: 2 }')).toEqual([
      'wrong-type version 1:10',
      'wrong-type server.version 2:29',
    ]);
  });

  test('a tool has a name, a description, a schema and nodes [GRAPH-050] [GRAPH-051] [GRAPH-052] [GRAPH-028]', () => {
    expect(problemsOf(`${header}tools:\n  - {}\n  - { name: a }\n  - 5`)).toEqual([
      'missing-key tools[0] 4:5',
      'missing-key tools[1] 5:5',
      'missing-key tools[1] 5:5',
      'missing-key tools[1] 5:5',
      'wrong-type tools[2] 6:5',
    ]);
  });

  test.each([
    ['no entry', '      - { id: exit, type: exit }', 'no-entry'],
    ['no exit', '      - { id: entry, type: entry, next: entry }', 'no-exit'],
    [
      'two entries',
      '      - { id: a, type: entry, next: x }\n      - { id: b, type: entry, next: x }\n      - { id: x, type: exit }',
      'many-entry',
    ],
    [
      'two exits',
      '      - { id: a, type: entry, next: x }\n      - { id: x, type: exit }\n      - { id: y, type: exit }',
      'many-exit',
    ],
  ])('exactly one entry and one exit: %s [GRAPH-059]', (_name, nodes, code) => {
    expect(problemsOf(oneTool(nodes)).some((problem) => problem.startsWith(`${code} tools[0] 5:5`))).toBe(true);
  });
});

describe('mistakes are reported where they stand', () => {
  const nodes = (text: string, top = '') =>
    oneTool(`      - { id: entry, type: entry, next: a }\n${text}\n      - { id: exit, type: exit }`, top);

  test.each([
    [
      'a missing target',
      '      - { id: a, type: transform, transform: { expr: "1" }, next: «exti }',
      'missing-target tools[0].nodes[1].next',
    ],
    [
      'a missing branch',
      '      - { id: a, type: parallel, branches: [exit, «nope] }',
      'missing-target tools[0].nodes[1].branches[1]',
    ],
    [
      'a missing server',
      '      - { id: a, type: mcp, server: «fiels, tool: x, next: exit }',
      'missing-server tools[0].nodes[1].server',
    ],
    ['a missing tool', '      - { id: a, type: call, tool: «nope, next: exit }', 'missing-tool tools[0].nodes[1].tool'],
    [
      'a duplicate id',
      '      - { id: a, type: wait, ms: 1, next: exit }\n      - { id: «a, type: wait, ms: 1, next: exit }',
      'duplicate-id tools[0].nodes[2].id',
    ],
    [
      'an unknown key',
      '      - { id: a, type: wait, ms: 1, «nxt: exit, next: exit }',
      'unknown-key tools[0].nodes[1].nxt',
    ],
    ['an unknown type', '      - { id: a, type: «transfrom, next: exit }', 'wrong-value tools[0].nodes[1].type'],
    ['a wrong type', '      - { id: a, type: wait, ms: 1, next: «5 }', 'wrong-type tools[0].nodes[1].next'],
    ['a missing key', '      - «{ id: a, type: transform, next: exit }', 'missing-key tools[0].nodes[1]'],
    [
      'expr with others',
      '      - { id: a, type: call, tool: t, args: { x: «{ expr: "1", more: 2 } }, next: exit }',
      'mixed-expression tools[0].nodes[1].args.x',
    ],
    [
      'expr that is no text',
      '      - { id: a, type: call, tool: t, args: { x: { expr: «5 } }, next: exit }',
      'wrong-type tools[0].nodes[1].args.x.expr',
    ],
    [
      'a rule with two operators',
      '      - { id: a, type: switch, conditions: [{ rule: «{ ">": [1, 2], "<": [1, 2] }, next: exit }], next: exit }',
      'invalid-rule tools[0].nodes[1].conditions[0].rule',
    ],
    [
      'an unknown operator',
      '      - { id: a, type: switch, conditions: [{ rule: { gt: «[1, 2] }, next: exit }], next: exit }',
      'invalid-rule tools[0].nodes[1].conditions[0].rule.gt',
    ],
    [
      'a var with a mistake',
      '      - { id: a, type: switch, conditions: [{ rule: { "!": { var: "$.entry «+" } }, next: exit }], next: exit }',
      'invalid-rule tools[0].nodes[1].conditions[0].rule."!".var',
    ],
    ['a negative wait', '      - { id: a, type: wait, ms: «-1, next: exit }', 'wrong-value tools[0].nodes[1].ms'],
  ])('%s [GRAPH-060] [GRAPH-028]', (_name, text, problem) => {
    const { source, place } = marked(nodes(text, 'mcpServers: { files: { command: c } }'));
    expect(problemsOf(source)).toContain(`${problem} ${place}`);
  });

  test('a mistake in an expression is reported at its own character, also in a block [GRAPH-020]', () => {
    const source = nodes(`      - id: a
        type: transform
        transform:
          expr: |
            {
              "a": 1,
              "b": ]
            }
        next: exit`);
    expect(problemsOf(source)).toEqual(['invalid-expression tools[0].nodes[1].transform.expr 16:20']);
    const [problem] = loadGraph(source, { file: 'flow.yaml' }).problems;
    expect(problem && formatProblem(problem)).toBe(
      'flow.yaml:16:20 error invalid-expression Node "a": Invalid JSONata syntax: The symbol "]" cannot be used as a unary operator (character 20 of the expression)',
    );
  });

  test('an exit that cannot be reached, nodes that nothing leads to, loops without a way out', () => {
    expect(problemsOf(nodes('      - { id: a, type: wait, ms: 1, next: a }'))).toEqual([
      'unreachable-exit tools[0].nodes[2] 11:9',
    ]);
    expect(
      problemsOf(
        nodes('      - { id: a, type: wait, ms: 1, next: exit }\n      - { id: b, type: wait, ms: 1, next: exit }'),
      ),
    ).toEqual(['orphan-node tools[0].nodes[2] 11:9']);
    expect(
      problemsOf(
        nodes(
          '      - { id: a, type: switch, conditions: [{ rule: true, next: b }], next: exit }\n      - { id: b, type: wait, ms: 1, next: b }',
        ),
      ),
    ).toEqual(['endless-loop tools[0].nodes[2] 11:9']);
  });

  test('expressions that read nodes which are not there', () => {
    const { source, place } = marked(
      nodes("      - { id: a, type: transform, transform: { expr: '1 + $.«entyr.x' }, next: exit }"),
    );
    expect(problemsOf(source)).toEqual([`unknown-node tools[0].nodes[1] ${place}`]);
    const history = nodes(
      `      - { id: a, type: transform, transform: { expr: '$executionCount("b") + $.a.y' }, next: exit }`,
    );
    expect(problemsOf(history)).toEqual([expect.stringMatching(/^unknown-node tools\[0\]\.nodes\[1\] 10:7\d$/)]);
    const rule = nodes(
      '      - { id: a, type: switch, conditions: [{ rule: { var: "etnry.x" }, next: exit }], next: exit }',
    );
    expect(problemsOf(rule)).toEqual(['unknown-node tools[0].nodes[1] 10:9']);
  });

  test('branches that do not come together', () => {
    const fan = (rest: string) =>
      problemsOf(
        nodes(
          `      - { id: a, type: parallel, branches: [b, c] }\n      - { id: b, type: wait, ms: 1, next: j }\n      - { id: c, type: wait, ms: 1, next: ${rest}`,
        ),
      );
    expect(fan('exit }\n      - { id: j, type: join, next: exit }')).toEqual([
      'branch-without-join tools[0].nodes[1] 10:9',
    ]);
    expect(fan('k }\n      - { id: j, type: join, next: exit }\n      - { id: k, type: join, next: exit }')).toEqual([
      'many-joins tools[0].nodes[1] 10:9',
    ]);
    const named = (join: string) =>
      nodes(
        `      - { id: a, type: parallel, branches: [b], next: ${join} }\n      - { id: b, type: wait, ms: 1, next: j }\n      - { id: j, type: join, next: exit }`,
      );
    expect(problemsOf(named('j'))).toEqual([]);
    expect(problemsOf(named('exit'))).toEqual([expect.stringContaining('wrong-join tools[0].nodes[1].next')]);
    expect(problemsOf(nodes('      - { id: a, type: join, next: exit }'))).toEqual([
      'join-without-parallel tools[0].nodes[1] 10:9',
    ]);
  });

  test('a foreach body that never ends, or has entry and exit', () => {
    const each = (body: string) =>
      problemsOf(nodes(`      - { id: a, type: foreach, items: [1], next: exit, nodes: [${body}] }`));
    expect(each('{ id: b, type: wait, ms: 1, next: b }')).toEqual(['endless-loop tools[0].nodes[1] 10:9']);
    expect(each('{ id: b, type: exit }')).toEqual([
      expect.stringContaining('misplaced-node tools[0].nodes[1].nodes[0].type'),
    ]);
    expect(each('{ id: b, type: wait, ms: 1, next: exit }')).toContainEqual(
      expect.stringContaining('missing-target tools[0].nodes[1].nodes[0].next'),
    );
  });

  test('schemas that are not JSON Schema', () => {
    const schema = (text: string) => {
      const { source, place } = marked(
        nodes('      - { id: a, type: wait, ms: 1, next: exit }').replace('{ type: object }', text),
      );
      return problemsOf(source).map((problem) => problem.replace(` ${place}`, ''));
    };
    expect(schema('{ type: object, properties: { a: { type: «strng } } }')).toEqual([
      'wrong-schema tools[0].inputSchema.properties.a.type',
    ]);
    expect(schema('«{ type: string }')).toEqual(['wrong-schema tools[0].inputSchema']);
    expect(schema('{ type: object, required: «a }')).toEqual(['wrong-schema tools[0].inputSchema.required']);
    expect(schema('{ type: object, properties: { a: { $ref: «"#/$defs/none" } } }')).toEqual([
      'wrong-reference tools[0].inputSchema.properties.a.$ref',
    ]);
    expect(schema('{ type: object, properties: { a: { $ref: «"https://example.com/x.json" } } }')).toEqual([
      'wrong-reference tools[0].inputSchema.properties.a.$ref',
    ]);
    const full =
      '«{ type: object, properties: { a: { anyOf: [{ type: [string, "null"] }, { $ref: "#/$defs/b" }] } }, $defs: { b: { enum: [1] } }, additionalProperties: false }';
    expect(schema(full)).toEqual([]);
  });

  test('YAML that is no YAML, doubled keys, alias bombs and things that are no graph', () => {
    expect(problemsOf('version: "1.0\n')).toEqual([expect.stringMatching(/^invalid-yaml {2}\d+:\d+$/)]);
    expect(problemsOf('version: "1"\nversion: "2"\n')).toEqual(['invalid-yaml  2:1']);
    expect(problemsOf('- 1')).toEqual(['wrong-type  1:1']);
    expect(problemsOf('')).toEqual(['wrong-type  1:1']);
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const letter of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const before = String.fromCharCode(letter.charCodeAt(0) - 1);
      bomb.push(`${letter}: &${letter} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`);
    }
    expect(problemsOf(bomb.join('\n'))).toEqual(['invalid-yaml  1:1']);
  });

  test('every problem in a file at once, in the order of the lines', () => {
    const problems = problemsOf(
      `version: 1\nserver: { name: x, version: "1", titel: a }\ntools:\n  - { name: t, description: d, inputSchema: { type: object }, nodes: [{ id: e, type: entry, next: zz }] }\nextra: 1`,
    );
    expect(problems.map((problem) => problem.split(' ').at(-1)?.split(':')[0])).toEqual(['1', '2', '4', '4', '5']);
  });
});

describe('servers', () => {
  const server = (text: string, environment = {}) =>
    load(`${header}mcpServers:\n  s: ${text}\n`, {
      environment,
      directory: '/graphs',
      workingDirectory: '/work',
    }).servers.get('s');

  test('stdio, with environment and a directory relative to the file [GRAPH-064]', () => {
    expect(server('{ command: npx, args: [-y, x] }')).toMatchObject({
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'x'],
      cwd: '/work',
      env: {},
    });
    expect(server('{ type: stdio, command: x, cwd: ./sub, env: { A: "1", B: 2 } }')).toMatchObject({
      args: [],
      cwd: '/graphs/sub',
      env: { A: '1', B: '2' },
    });
  });

  test('http and sse, with headers', () => {
    for (const type of ['type: streamableHttp, ', 'type: http, ', 'type: streamable-http, ', '']) {
      expect(server(`{ ${type}url: "https://example.com/mcp", headers: { A: b } }`)).toMatchObject({
        type: 'http',
        url: 'https://example.com/mcp',
        headers: { A: 'b' },
      });
    }
    expect(
      server('{ type: sse, url: "http://x/sse", requestInit: { headers: { A: a, B: b } }, headers: { A: c } }'),
    ).toMatchObject({ type: 'sse', headers: { A: 'c', B: 'b' } });
    expect(server('{ url: "http://x/", bearerToken: "${T}" }', { T: 'secret' })).toMatchObject({
      headers: { Authorization: 'Bearer secret' },
    });
  });

  test('variables from the environment, with defaults, and literal ${', () => {
    expect(server('{ command: "${CMD:-node}", args: ["${A}", "$${A}", "x${A}y"] }', { A: 'one' })).toMatchObject({
      command: 'node',
      args: ['one', '${A}', 'xoney'],
      missing: [],
    });
    expect(server('{ command: c, args: ["${NOPE}"] }')).toMatchObject({ missing: ['NOPE'] });
    expect(problemsOf(`${header}mcpServers: { s: { command: "\${NOPE}" } }`)).toEqual([
      'unset-variable mcpServers.s 3:18',
    ]);
  });

  test('share a key only when they are the same', () => {
    const key = (text: string) => server(text)?.key;
    expect(key('{ command: a }')).toBe(key('{ type: stdio, command: a, args: [] }'));
    expect(key('{ command: a }')).not.toBe(key('{ command: a, env: { X: y } }'));
  });

  test("Waymark's own toolsets need no definition", () => {
    const document = load(oneNode('{ id: work, type: mcp, server: "waymark:tasks", tool: list_tasks, next: exit }'));
    expect(document.servers.get('waymark:tasks')).toMatchObject({ type: 'waymark', toolset: 'tasks' });
  });

  test('are refused when they are none', () => {
    const problems = (text: string) => problemsOf(`${header}mcpServers: { s: ${text} }`);
    expect(problems('{}')).toEqual(['missing-key mcpServers.s 3:18']);
    expect(problems('{ url: "ftp://x" }')).toEqual(['wrong-value mcpServers.s.url 3:25']);
    expect(problems('{ type: websocket, url: "http://x" }')).toEqual(['wrong-value mcpServers.s.type 3:26']);
    expect(problems('{ command: a, envs: {} }')).toEqual(['unknown-key mcpServers.s.envs 3:32']);
  });
});

describe('other graph files', () => {
  const main = `${header}graphs: { other: ./other.yaml }\n`;

  test('are loaded with the file, and their mistakes are told as theirs', () => {
    const readGraph = (path: string) => {
      expect(path).toBe('/graphs/other.yaml');
      return header.replace('test', 'other');
    };
    expect(load(main, { directory: '/graphs', readGraph }).graphs.get('other')?.server.name).toBe('other');
    const result = loadGraph(main, { file: '/graphs/a.yaml', readGraph: () => 'version: "1"' });
    expect(result.problems).toMatchObject([{ file: '/graphs/other.yaml', code: 'missing-key' }]);
  });

  test('must exist and not lead back', () => {
    expect(problemsOf(main, { directory: '/graphs' })).toEqual(['missing-file graphs.other 3:18']);
    const result = loadGraph(main, {
      file: '/graphs/a.yaml',
      readGraph: () => `${header}graphs: { back: ./a.yaml }\n`,
    });
    expect(result.problems).toMatchObject([{ code: 'graph-cycle' }]);
  });
});

describe('the tests section', () => {
  test('is read and checked', () => {
    const source = `${oneNode('{ id: work, type: wait, ms: 1, next: exit }')}tests:
  - { name: works, tool: t, args: { a: 1 }, mocks: { work: { output: 1 } }, expect: { b: 2 }, path: [entry, work, exit] }
  - { name: true enough, tool: t, expectExpr: "result.b = 2" }
  - { name: fails, tool: t, expectError: TIMEOUT }
`;
    expect(load(source).tests).toMatchObject([
      { name: 'works', args: { a: 1 }, expect: { result: { b: 2 } }, path: ['entry', 'work', 'exit'] },
      { expect: { expression: { text: 'result.b = 2' } } },
      { expectError: 'TIMEOUT' },
    ]);
    expect(problemsOf(source.replace('tool: t, expectError', 'tool: tt, expectError'))).toEqual([
      expect.stringContaining('missing-tool tests[2].tool'),
    ]);
  });
});
