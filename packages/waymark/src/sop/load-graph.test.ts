import { beforeEach, describe, expect, test } from 'vitest';
import { type Call, createWorkplace, readExample, sopWith, type Workplace } from './sop.test-helpers.ts';

let workplace: Workplace;
let call: Call;
const retail = await readExample('retail.md');

async function open(files: Record<string, string> = { 'retail.md': retail }, services = {}) {
  workplace = await createWorkplace(files, services);
  ({ call } = await workplace.connect());
}

async function walk(...nodes: string[]): Promise<Record<string, unknown>> {
  let answer: Record<string, unknown> = {};
  for (const node of nodes) answer = (await call('goto_node', { node_id: node })).data;
  return answer;
}

describe('load_graph', () => {
  beforeEach(() => open());

  test('answers with what the file says [SOP-003] [SOP-004] [SOP-005] [SOP-006] [SOP-007] [SOP-013]', async () => {
    const { data, isError } = await call('load_graph', { sop_file: 'retail.md' });
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      agent: 'retail_customer_support',
      version: '1.0',
      entry_node: 'START',
      model: { provider: 'anthropic', name: 'claude-sonnet-4-5-20250929', temperature: 0.2, max_tokens: 1024 },
      mcp_servers: [{ name: 'retail-tools', url: 'https://mcp.retailco.com/sse' }],
    });
  });

  test('describes the graph in file order [SOP-008] [SOP-009] [SOP-010] [SOP-011]', async () => {
    const { data } = await call('load_graph', { sop_file: 'retail.md' });
    expect(data['graph']).toMatchObject({
      node_count: 40,
      decision_nodes: [
        'ROUTE',
        'IS_PENDING_C',
        'IS_PENDING_M',
        'MOD_TYPE',
        'IS_GC_OK',
        'IS_DELIVERED_R',
        'IS_DELIVERED_E',
      ],
      terminal_nodes: [
        'END_INFO',
        'END_CANCEL',
        'END_MOD',
        'END_RETURN',
        'END_EXCH',
        'END_UADDR',
        'DENY_CANCEL',
        'DENY_MOD',
        'DENY_RETURN',
        'DENY_EXCH',
        'DENY_PAY',
        'ESCALATE_HUMAN',
      ],
    });
    const { nodes_with_prompts: withPrompts } = data['graph'] as { nodes_with_prompts: string[] };
    expect(withPrompts.slice(0, 6)).toEqual(['AUTH', 'INFO', 'CHK_CANCEL', 'COLLECT_CANCEL', 'DO_CANCEL', 'CHK_MOD']);
    expect(withPrompts.at(-1)).toBe('ESCALATE_HUMAN');
  });

  test('gives the system prompt without node prompts, the flowchart unchanged [SOP-012] [SOP-018] [SOP-019] [SOP-020] [SOP-075]', async () => {
    const { data } = await call('load_graph', { sop_file: 'retail.md' });
    expect(data['system_prompt_sections']).toEqual(['Role', 'Global Rules', 'Domain Reference', 'SOP Flowchart']);
    const prompt = data['system_prompt'] as string;
    const [, mermaid = ''] = /```mermaid\n([\s\S]*?)```/.exec(retail) ?? [];
    expect(prompt).toContain(`\`\`\`mermaid\n${mermaid}\`\`\``);
    for (const heading of ['## Role', '## Global Rules', '## Domain Reference']) expect(prompt).toContain(heading);
    expect(prompt).not.toContain('Node Prompts');
    expect(prompt).not.toContain('Must verify even if user provides user_id directly');
    expect(prompt).not.toContain('mcp.retailco.com');
  });

  test('reports mermaid errors with lines of the file and leaves the loaded graph alone [SOP-014] [SOP-071]', async () => {
    await call('load_graph', { sop_file: 'retail.md' });
    await walk('START', 'AUTH');
    const broken = retail
      .replace('DO_CANCEL["Cancel the order"]', 'DO_CANCEL[Cancel (the order)]')
      .replace('AUTH --> ROUTE', 'AUTH --> --> ROUTE');
    await workplace.write('broken.md', broken);
    const { isError, data } = await call('load_graph', { sop_file: 'broken.md' });
    const lineOf = (text: string) => broken.slice(0, broken.indexOf(text)).split('\n').length;
    expect(isError).toBe(true);
    expect(data).toMatchObject({ valid: false, code: 'INVALID_SOP', sop_file: 'broken.md' });
    expect(data['errors']).toMatchObject([
      { line: lineOf('AUTH --> --> ROUTE'), col: 14, code: 'MERMAID_SYNTAX' },
      { line: lineOf('Cancel (the order)'), code: 'MERMAID_SYNTAX' },
    ]);
    expect((await walk('ROUTE'))['path']).toEqual(['START', 'AUTH', 'ROUTE']);
  });

  test('warns of unknown tools and of prompts without a node, but loads [SOP-016] [SOP-017] [SOP-072]', async () => {
    const doubtful = retail
      .replace('tools: [modify_user_address]', 'tools: [modify_user_adress]')
      .replace('### INFO', '### INFORM');
    await workplace.write('doubtful.md', doubtful);
    const { isError, data } = await call('load_graph', { sop_file: 'doubtful.md' });
    expect(isError).toBe(false);
    expect(data['warnings']).toMatchObject([
      { code: 'PROMPT_WITHOUT_NODE', message: expect.stringContaining('did you mean INFO?') },
      { code: 'UNDECLARED_TOOL', message: expect.stringContaining('did you mean modify_user_address?') },
    ]);
    expect(doubtful.split('\n')[((data['warnings'] as { line: number }[])[0]?.line ?? 0) - 1]).toBe('### INFORM');
  });

  test('is idempotent for the same content; a changed file begins the path anew and keeps the todos', async () => {
    await call('load_graph', { sop_file: 'retail.md' });
    await walk('START', 'AUTH');
    await call('todo', { todos: [{ content: 'x', status: 'pending' }] });
    const again = await call('load_graph', { sop_file: './retail.md' });
    expect(again.data).toMatchObject({ status: 'unchanged', current_node: 'AUTH' });
    expect((await walk('ROUTE'))['valid']).toBe(true);
    await workplace.write('retail.md', `${retail}\n`);
    expect((await call('load_graph', { sop_file: 'retail.md' })).data).toMatchObject({ status: 'changed' });
    expect((await call('get_state')).data).toMatchObject({ path: [], todos: [{ content: 'x' }], unlocked: [] });
    await walk('START');
    const reset = await call('load_graph', { sop_file: 'retail.md', reset: true });
    expect(reset.data).toMatchObject({ status: 'reset' });
    expect((await call('get_state')).data).toMatchObject({ path: [] });
  });

  test('keeps one path per agent', async () => {
    await workplace.write('small.md', sopWith('flowchart TD\n A --> B', { frontmatter: 'agent: small' }));
    await call('load_graph', { sop_file: 'retail.md' });
    await walk('START', 'AUTH');
    await call('load_graph', { sop_file: 'small.md' });
    expect((await walk('START', 'B'))['path']).toEqual(['A', 'B']);
    const back = await call('load_graph', { sop_file: 'retail.md' });
    expect(back.data).toMatchObject({ current_node: 'AUTH' });
    expect((await walk('ROUTE'))['path']).toEqual(['START', 'AUTH', 'ROUTE']);
  });

  test('says when the file has changed since', async () => {
    await call('load_graph', { sop_file: 'retail.md' });
    expect((await walk('START'))['stale']).toBeUndefined();
    await workplace.write('retail.md', `${retail}\n\nmore`);
    workplace.now = new Date(workplace.now.getTime() + 5000);
    const answer = await walk('AUTH');
    expect(answer).toMatchObject({ valid: true, stale: true });
    expect(answer['node']).toMatchObject({ prompt: expect.stringContaining('Authenticate') });
  });

  test('is listed with its input, like the other tools [SOP-001] [SOP-021] [SOP-029]', async () => {
    const { client } = await workplace.connect();
    const { tools } = await client.listTools();
    const inputOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema;
    expect(inputOf('load_graph')).toMatchObject({
      required: ['sop_file'],
      properties: { sop_file: { type: 'string' } },
    });
    expect(inputOf('goto_node')).toMatchObject({ required: ['node_id'], properties: { node_id: { type: 'string' } } });
    expect(inputOf('todo')).toMatchObject({
      required: ['todos'],
      properties: {
        todos: {
          type: 'array',
          items: {
            required: ['content', 'status'],
            properties: {
              content: { type: 'string', minLength: 1 },
              note: { type: 'string' },
              status: { enum: ['pending', 'in_progress', 'completed'] },
              completion_node: { type: 'string' },
            },
          },
        },
      },
    });
    const size = JSON.stringify(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ).length;
    expect(size / 4 / tools.length).toBeLessThan(150);
  });
});

describe('load_graph with bad input', () => {
  beforeEach(() => open());

  test.each([
    ['retial.md', 'FILE_NOT_FOUND', 'did you mean "retail.md"?'],
    ['../../../etc/passwd', 'PATH_OUTSIDE_ROOTS', 'outside'],
    ['/etc/passwd', 'PATH_OUTSIDE_ROOTS', 'outside'],
    ['.', 'IS_A_DIRECTORY', 'It holds: retail.md'],
    ['a\0b', 'INVALID_PATH', 'NUL'],
    ['https://example.com/sop.md', 'URLS_NOT_ALLOWED', 'switched off'],
  ])('%j is refused with %s', async (file, code, words) => {
    const { isError, data } = await call('load_graph', { sop_file: file });
    expect(isError).toBe(true);
    expect(data).toMatchObject({ valid: false, code });
    expect(data['error']).toContain(words);
  });

  test.each([
    ['binary', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff]), 'NOT_TEXT'],
    ['too large', 'x'.repeat(3 * 1024 * 1024), 'FILE_TOO_LARGE'],
    ['empty', '', 'INVALID_SOP'],
    ['without a flowchart', '# Title\n\nwords\n', 'INVALID_SOP'],
    ['with frontmatter that never ends', '---\nagent: x\n\n```mermaid\nflowchart TD\nA-->B\n```\n', 'INVALID_SOP'],
    ['with frontmatter that is no YAML', sopWith('flowchart TD\n A-->B', { frontmatter: 'agent: [x' }), 'INVALID_SOP'],
    ['with a wrong type', sopWith('flowchart TD\n A-->B', { frontmatter: 'tools: 7' }), 'INVALID_SOP'],
    ['with an entry that is no node', sopWith('flowchart TD\n A-->B', { frontmatter: 'entry_node: C' }), 'INVALID_SOP'],
    ['with an empty flowchart', sopWith('flowchart TD'), 'INVALID_SOP'],
  ])('a file %s is refused', async (_name, content, code) => {
    await workplace.write('x.md', content);
    const { isError, data } = await call('load_graph', { sop_file: 'x.md' });
    expect(isError).toBe(true);
    expect(data).toMatchObject({ code });
  });

  test('the wrong place in the frontmatter is named', async () => {
    await workplace.write(
      'x.md',
      sopWith('flowchart TD\n A-->B', { frontmatter: 'agent: x\ntools:\n  - a\n  - {b: c}' }),
    );
    const { data } = await call('load_graph', { sop_file: 'x.md' });
    expect(data['errors']).toMatchObject([
      { line: 5, col: 5, code: 'INVALID_FRONTMATTER', message: expect.stringContaining('tools.1') },
    ]);
  });

  test('a link out of the roots is refused', async () => {
    const { symlink } = await import('node:fs/promises');
    await symlink('/etc/passwd', `${workplace.directory}/innocent.md`);
    expect((await call('load_graph', { sop_file: 'innocent.md' })).data).toMatchObject({ code: 'PATH_OUTSIDE_ROOTS' });
  });

  test('wrong arguments are named, with the nearest right one', async () => {
    const { isError, data } = await call('load_graph', { sopfile: 'retail.md' });
    expect(isError).toBe(true);
    expect(data).toMatchObject({ valid: false, code: 'INVALID_INPUT' });
    expect(data['error']).toContain('did you mean "sop_file"?');
  });
});

test('load_graph takes a URL where it is allowed [SOP-002]', async () => {
  await open({}, { fetchText: async (url: string) => (url === 'https://sops.example/retail.md' ? retail : '') });
  const { data } = await call('load_graph', { sop_file: 'https://sops.example/retail.md' });
  expect(data).toMatchObject({ agent: 'retail_customer_support', status: 'loaded' });
  expect((await walk('START', 'AUTH'))['valid']).toBe(true);
});

test('load_graph fetches a URL itself, from nowhere but where it may', async () => {
  const { createServer } = await import('node:http');
  const server = createServer((_request, response) => response.end(retail));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}/retail.md`;
  await open({}, { urls: 'loopback' });
  expect((await call('load_graph', { sop_file: url })).data).toMatchObject({ agent: 'retail_customer_support' });
  await open({}, { urls: 'https' });
  expect((await call('load_graph', { sop_file: url })).data).toMatchObject({ valid: false, code: 'URL_NOT_ALLOWED' });
  server.close();
});

describe('prompt and resources', () => {
  test('give the system prompt and the graph', async () => {
    await open();
    const { client } = await workplace.connect();
    const prompt = await client.getPrompt({ name: 'sop', arguments: { sop_file: 'retail.md' } });
    expect(JSON.stringify(prompt.messages)).toContain('flowchart TD');
    const text = await client.readResource({ uri: 'sop://retail.md/system-prompt' });
    expect(text.contents[0]).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('## Global Rules'),
    });
    const graph = await client.readResource({ uri: 'sop://retail.md/graph' });
    const { nodes, edges } = JSON.parse((graph.contents[0] as { text: string }).text) as {
      nodes: unknown[];
      edges: unknown[];
    };
    expect([nodes.length, edges.length]).toEqual([40, 42]);
  });
});
