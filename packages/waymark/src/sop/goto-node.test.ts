import { beforeEach, describe, expect, test } from 'vitest';
import { type Call, createWorkplace, readExample, type Workplace } from './sop.test-helpers.ts';

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
