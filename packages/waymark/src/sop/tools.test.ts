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

describe('todo', () => {
  beforeEach(async () => {
    await open();
    await call('load_graph', { sop_file: 'retail.md' });
  });

  test('stores the list as given and counts it [SOP-024] [SOP-025] [SOP-027] [SOP-028]', async () => {
    const todos = [
      { content: 'a', status: 'completed', completion_node: 'END_MOD' },
      { content: 'b', status: 'in_progress', note: 'see a', completion_node: 'END_UADDR' },
      { content: 'c', status: 'pending' },
      { content: 'd', status: 'pending', completion_node: 'END_EXCH' },
    ];
    const { data } = await call('todo', { todos });
    expect(data).toEqual({ todos, summary: { pending: 2, in_progress: 1, completed: 1 } });
    expect((await call('get_state')).data['todos']).toEqual(todos);
  });

  test('replaces the whole list each time; an empty one clears it [SOP-026] [SOP-074] [SOP-077]', async () => {
    await call('todo', {
      todos: [
        { content: 'a', status: 'pending', note: 'n' },
        { content: 'b', status: 'pending' },
      ],
    });
    await call('todo', {
      todos: [
        { content: 'b', status: 'completed' },
        { content: 'a', status: 'pending' },
      ],
    });
    expect((await call('get_state')).data['todos']).toEqual([
      { content: 'b', status: 'completed' },
      { content: 'a', status: 'pending' },
    ]);
    const { data } = await call('todo', { todos: [] });
    expect(data).toEqual({ todos: [], summary: { pending: 0, in_progress: 0, completed: 0 } });
  });

  test.each([
    ['empty content', [{ content: '', status: 'pending' }]],
    ['no content', [{ status: 'pending' }]],
    ['no status', [{ content: 'a' }]],
    ['another status', [{ content: 'a', status: 'done' }]],
    ['a number as content', [{ content: 1, status: 'pending' }]],
    ['no list', 'a'],
    ['a string in the list', ['a']],
  ])('%s is refused and nothing is stored [SOP-022] [SOP-023]', async (_name, todos) => {
    await call('todo', { todos: [{ content: 'kept', status: 'pending' }] });
    const { isError, data } = await call('todo', { todos });
    expect(isError).toBe(true);
    expect(data).toMatchObject({ valid: false, code: 'INVALID_INPUT' });
    expect((await call('get_state')).data['todos']).toEqual([{ content: 'kept', status: 'pending' }]);
  });

  test('doubts are told, not refused', async () => {
    const { data } = await call('todo', {
      todos: [
        { content: 'a', status: 'in_progress', completion_node: 'END_MOD_ITEMS' },
        { content: 'b', status: 'in_progress', completion_node: 'ROUTE' },
        { desc: 'c', status: 'pending', task_completion_node: 'END_EXCH', colour: 'red' },
      ],
    });
    expect(data['todos']).toMatchObject([{}, {}, { content: 'c', completion_node: 'END_EXCH' }]);
    expect(data['warnings']).toEqual([
      'The todo field "colour" is not known and was ignored',
      '2 todos are in progress; work on one at a time',
      '"a": completion_node END_MOD_ITEMS is not a node of this procedure',
      '"b": completion_node ROUTE is not a terminal node',
    ]);
  });
});

describe('goto_node', () => {
  beforeEach(async () => {
    await open();
    await call('load_graph', { sop_file: 'retail.md' });
  });

  test('delivers description, prompt, tools, examples, edges and path [SOP-015] [SOP-030] [SOP-031] [SOP-033] [SOP-034] [SOP-035] [SOP-036] [SOP-037] [SOP-038] [SOP-039]', async () => {
    expect(await walk('START', 'AUTH', 'ROUTE', 'CHK_CANCEL', 'IS_PENDING_C', 'COLLECT_CANCEL')).toEqual({
      node: {
        id: 'COLLECT_CANCEL',
        type: 'rectangle',
        description: 'Collect: order_id, reason',
        prompt:
          "Collect and confirm:\n1. **order_id**\n2. **reason**: must be 'no longer needed' OR 'ordered by mistake'\n\n- If user gives a different reason, politely explain only these two are accepted\n- Do not suggest which reason to pick\n- If user is unsure, offer to help with return or exchange instead",
        tools: ['cancel_pending_order'],
        examples: [
          {
            user: 'I want to cancel order 123',
            agent:
              "I can help with that. Could you tell me the reason — is it 'no longer needed' or 'ordered by mistake'?",
          },
        ],
      },
      edges: [{ to: 'DO_CANCEL', condition: null }],
      path: ['START', 'AUTH', 'ROUTE', 'CHK_CANCEL', 'IS_PENDING_C', 'COLLECT_CANCEL'],
      valid: true,
    });
  });

  test('delivers only the description where there is no prompt [SOP-032] [SOP-034]', async () => {
    const answer = await walk('START', 'AUTH', 'ROUTE', 'CHK_CANCEL', 'IS_PENDING_C');
    expect(answer['node']).toEqual({ id: 'IS_PENDING_C', type: 'rhombus', description: 'status == pending?' });
    expect(answer['edges']).toEqual([
      { to: 'DENY_CANCEL', condition: 'no' },
      { to: 'COLLECT_CANCEL', condition: 'yes' },
    ]);
  });

  test('refuses a move without an edge, says what is possible and how to get there, and stays [SOP-040] [SOP-041] [SOP-042] [SOP-043]', async () => {
    await walk('START', 'AUTH', 'ROUTE', 'CHK_CANCEL', 'IS_PENDING_C');
    const { isError, data } = await call('goto_node', { node_id: 'COLLECT_EXCH' });
    expect(isError).toBe(false);
    expect(data).toEqual({
      valid: false,
      error: 'Cannot reach COLLECT_EXCH from IS_PENDING_C',
      current_node: 'IS_PENDING_C',
      valid_next: ['DENY_CANCEL', 'COLLECT_CANCEL'],
      route: ['ROUTE', 'CHK_EXCH', 'IS_DELIVERED_E', 'COLLECT_EXCH'],
    });
    expect((await call('get_state')).data).toMatchObject({
      path: ['START', 'AUTH', 'ROUTE', 'CHK_CANCEL', 'IS_PENDING_C'],
    });
  });

  test('START is open from everywhere and begins the path anew [SOP-044]', async () => {
    await walk('START', 'AUTH', 'ROUTE', 'CHK_CANCEL');
    expect(await walk('START')).toMatchObject({ valid: true, path: ['START'] });
    expect(await walk('AUTH')).toMatchObject({ path: ['START', 'AUTH'] });
  });

  test('ROUTE is open from everywhere once it was reached, never before [SOP-045]', async () => {
    await walk('START');
    expect(await walk('ROUTE')).toMatchObject({
      valid: false,
      current_node: 'START',
      valid_next: ['AUTH'],
      route: ['AUTH', 'ROUTE'],
    });
    await walk('AUTH', 'ROUTE', 'CHK_CANCEL', 'IS_PENDING_C');
    expect(await walk('ROUTE')).toMatchObject({
      valid: true,
      path: ['START', 'AUTH', 'ROUTE', 'CHK_CANCEL', 'IS_PENDING_C', 'ROUTE'],
    });
    await walk('START');
    expect(await walk('ROUTE')).toMatchObject({ valid: true, path: ['START', 'ROUTE'] });
  });

  test('a terminal node completes the path and reminds of the todo it finishes [SOP-046] [SOP-047] [SOP-049]', async () => {
    await call('todo', {
      todos: [
        { content: 'first', status: 'pending', completion_node: 'END_INFO' },
        { content: 'second', status: 'in_progress', completion_node: 'END_INFO' },
        { content: 'third', status: 'pending', completion_node: 'END_MOD' },
      ],
    });
    expect(await walk('START', 'AUTH', 'ROUTE', 'INFO', 'END_INFO')).toEqual({
      node: { id: 'END_INFO', type: 'stadium', description: 'End / Restart' },
      edges: [],
      path: ['START', 'AUTH', 'ROUTE', 'INFO', 'END_INFO'],
      valid: true,
      complete: true,
      todo_reminder: 'Reached completion node END_INFO. Update todos and proceed to next task.',
      todo: 'second',
      open_todos: 3,
    });
  });

  test('a terminal node nobody waits for brings no reminder [SOP-048]', async () => {
    await call('todo', {
      todos: [
        { content: 'done', status: 'completed', completion_node: 'END_INFO' },
        { content: 'other', status: 'pending', completion_node: 'END_MOD' },
      ],
    });
    const answer = await walk('START', 'AUTH', 'ROUTE', 'INFO', 'END_INFO');
    expect(answer).not.toHaveProperty('todo_reminder');
    expect(answer).toMatchObject({ complete: true, open_todos: 1 });
    await call('todo', { todos: [] });
    expect(await walk('END_INFO')).not.toHaveProperty('open_todos');
  });

  test('after a terminal node only its edges, the entry and re-entry nodes are open', async () => {
    await walk('START', 'AUTH', 'ROUTE', 'CHK_CANCEL', 'IS_PENDING_C', 'DENY_CANCEL');
    expect(await walk('DO_CANCEL')).toMatchObject({ valid: false, valid_next: ['CHK_RETURN'] });
    expect(await walk('CHK_RETURN')).toMatchObject({ valid: true });
    await walk('IS_DELIVERED_R', 'DENY_RETURN');
    expect(await walk('CHK_EXCH')).toMatchObject({ valid: false, valid_next: ['ROUTE', 'START'] });
  });

  test('the current node again is answered again and the path stays', async () => {
    await walk('START', 'AUTH');
    expect(await walk('AUTH', 'AUTH')).toMatchObject({ valid: true, repeat: true, path: ['START', 'AUTH'] });
  });

  test('an unknown node is answered with the nodes there are and the nearest one [SOP-073]', async () => {
    await walk('START');
    const { data, isError } = await call('goto_node', { node_id: 'AUHT' });
    expect(isError).toBe(false);
    expect(data).toMatchObject({ valid: false, current_node: 'START', did_you_mean: 'AUTH' });
    expect(data['error']).toMatch(/^Node not found\. Valid nodes: \[START, AUTH, ROUTE, END_INFO, /);
  });

  test('before anything else only the entry node is open', async () => {
    expect(await walk('AUTH')).toEqual({
      valid: false,
      error: 'Cannot reach AUTH before START: the first move must be to START',
      current_node: null,
      valid_next: ['START'],
      route: ['START', 'AUTH'],
    });
  });

  test('several nodes in one call are walked one by one, with every prompt on the way', async () => {
    const { data } = await call('goto_node', { node_id: 'CHK_MOD', node_ids: ['START', 'AUTH', 'ROUTE', 'CHK_MOD'] });
    expect(data).toMatchObject({ valid: true, path: ['START', 'AUTH', 'ROUTE', 'CHK_MOD'], node: { id: 'CHK_MOD' } });
    expect((data['passed'] as { id: string }[]).map(({ id }) => id)).toEqual(['START', 'AUTH', 'ROUTE']);
    expect(data['passed']).toMatchObject([{}, { prompt: expect.stringContaining('Authenticate') }, {}]);
    const stopped = await call('goto_node', { node_ids: ['IS_PENDING_M', 'DO_MOD_ADDR', 'END_MOD'] });
    expect(stopped.data).toMatchObject({
      valid: false,
      error: 'Cannot reach DO_MOD_ADDR from IS_PENDING_M',
      current_node: 'IS_PENDING_M',
      route: ['COLLECT_MOD_ADDR', 'DO_MOD_ADDR'],
    });
    expect(stopped.data['passed']).toMatchObject([{ id: 'IS_PENDING_M' }]);
  });

  test('without a loaded graph there is nowhere to go', async () => {
    await open();
    expect((await call('goto_node', { node_id: 'START' })).data).toEqual({
      valid: false,
      error: 'Graph not loaded. Call load_graph first.',
      current_node: null,
      valid_next: [],
    });
  });

  test('answers stay under 300 tokens [SOP-076]', async () => {
    const { parseSop } = await import('./parse-sop.ts');
    const { nodeAnswer } = await import('./answers.ts');
    const { sop } = parseSop(retail);
    const path = Array.from({ length: 10 }, () => 'COLLECT_MOD_ADDR');
    for (const id of sop?.nodes.keys() ?? []) {
      const answer = sop && { ...nodeAnswer(sop, id), path, valid: true };
      // One token is about four characters of English and JSON.
      expect(JSON.stringify(answer).length / 4, id).toBeLessThan(300);
    }
  });

  test('does not read the file again [SOP-078]', async () => {
    const { rm } = await import('node:fs/promises');
    await rm(`${workplace.directory}/retail.md`);
    expect(await walk('START', 'AUTH')).toMatchObject({ valid: true });
  });

  test('tells whoever watches', async () => {
    await walk('START', 'ROUTE');
    expect(workplace.events).toMatchObject([
      { type: 'sop-loaded', user: 'local' },
      { type: 'sop-moved', data: { node: 'START', valid: true } },
      { type: 'sop-moved', data: { node: 'START', valid: false } },
    ]);
  });
});

describe('navigation: spec', () => {
  test('follows the literal rule: ROUTE is open even before it was reached', async () => {
    await open({ 'retail.md': retail.replace('version: 1.0', 'version: 1.0\nnavigation: spec') });
    await call('load_graph', { sop_file: 'retail.md' });
    expect(await walk('ROUTE')).toMatchObject({ valid: true, path: ['ROUTE'] });
    expect(await walk('CHK_EXCH')).toMatchObject({ valid: true });
    expect(await walk('DO_EXCH')).toMatchObject({ valid: false });
  });
});

describe('facts', () => {
  const guarded = sopWith(
    'flowchart TD\n START --> CHECK{ok?}\n CHECK -->|yes| DO\n CHECK -->|no| STOP\n DO --> DONE([end])\n STOP --> DONE',
    {
      frontmatter: 'agent: guarded',
      prompts:
        '### CHECK\n\n```yaml\nexits:\n  DO: { status: [pending, open] }\n```\n\n### DO\n\n```yaml\nrequires: [user_id, confirmed == true]\n```\n\nDo it.',
    },
  );

  test('open what requires them, and only then', async () => {
    await open({ 'guarded.md': guarded });
    await call('load_graph', { sop_file: 'guarded.md' });
    expect(await walk('START', 'CHECK')).toMatchObject({
      edges: [{ to: 'DO', requires: ['status = pending or open', 'user_id', 'confirmed = true'] }, { to: 'STOP' }],
    });
    expect(await walk('DO')).toMatchObject({
      valid: false,
      missing_facts: ['user_id', 'confirmed = true', 'status = pending or open'],
    });
    await call('record_fact', { name: 'user_id', value: 'u1' });
    await call('record_fact', { name: 'confirmed', value: true });
    await call('record_fact', { name: 'status', value: 'closed' });
    expect(await walk('DO')).toMatchObject({ valid: false, missing_facts: ['status = pending or open'] });
    expect((await call('record_fact', { name: 'status', value: 'open' })).data).toEqual({
      facts: { user_id: 'u1', confirmed: true, status: 'open' },
    });
    expect(await walk('DO')).toMatchObject({ valid: true });
    await call('record_fact', { name: 'status', value: null });
    expect((await call('get_state')).data['facts']).toEqual({ user_id: 'u1', confirmed: true });
  });
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
