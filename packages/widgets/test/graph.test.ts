import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { learnerGraph } from '../src/graph-layout.test-helpers.ts';
import { type Filters, filterGraph, type Graph } from '../src/graph-model.ts';
import { browserPath, type CallTool, startWidgetHost, type WidgetHost } from './widget-host.test-helpers.ts';

const small: Graph = {
  nodes: [
    {
      id: 'out_1',
      kind: 'outcome',
      label: 'Price freelance services confidently',
      status: 'active',
      summary: '',
      proofs: 0,
    },
    {
      id: 'out_2',
      kind: 'outcome',
      label: 'Read an experiment without fooling myself',
      status: 'paused',
      summary: '',
      proofs: 0,
    },
    ...concepts('out_1', [
      'Value, Not Hours:understood',
      'Anchoring:understood',
      'The Walk-Away Point:teaching',
      'Discount Requests:identified',
      'Silence:identified',
      'Packages:identified',
    ]),
    ...concepts('out_2', ['Base Rates:understood', 'Sample Size:teaching', 'Regression to the Mean:identified']),
  ],
  edges: [
    ...[0, 1, 2, 3, 4, 5].map((at) => ({ from: 'out_1', to: `out_1_${at}`, type: 'requires' })),
    ...[0, 1, 2].map((at) => ({ from: 'out_2', to: `out_2_${at}`, type: 'requires' })),
    { from: 'out_1_0', to: 'out_1_1', type: 'relates_to' },
    { from: 'out_1_2', to: 'out_1_3', type: 'relates_to' },
    { from: 'out_2_0', to: 'out_2_1', type: 'relates_to' },
  ],
};

function concepts(goal: string, named: readonly string[]) {
  return named.map((name, at) => {
    const [label = '', status = ''] = name.split(':');
    const summary = `What ${label} means.`;
    return {
      id: `${goal}_${at}`,
      kind: 'concept' as const,
      label,
      status,
      summary,
      proofs: status === 'understood' ? 1 : 0,
    };
  });
}

function asResult({ nodes, edges }: Graph) {
  const graphData = {
    nodes: nodes.map(({ id, kind, label, ...data }) => ({ id, type: kind, label, data })),
    edges: edges.map((edge) => ({ ...edge })),
  };
  return {
    content: [{ type: 'text' as const, text: "Here's your knowledge graph." }],
    structuredContent: {},
    _meta: { graphData },
  };
}

const answering: CallTool = (_name, { filters }) => {
  const all = { showProvenOnly: false, showOutcomes: true, showConcepts: true, outcomeId: '' };
  return asResult(filterGraph(small, { ...all, ...(filters as Partial<Filters>) }));
};

describe.skipIf(!browserPath)('the graph widget', () => {
  let host: WidgetHost;
  beforeAll(async () => {
    host = await startWidgetHost();
  });
  afterAll(() => host?.close());

  test('draws the graph, tells about a node and offers to work on it', async () => {
    const widget = await host.open('graph', { result: asResult(small), callTool: answering });
    const { frame } = widget;
    expect(await frame.locator('.node').count()).toBe(11);
    expect(await frame.locator('.edge').count()).toBe(12);
    await widget.screenshot('graph-light');
    await frame.getByRole('img', { name: 'Anchoring: Idea, Proven' }).click();
    const details = frame.locator('.details');
    expect(await details.textContent()).toContain('What Anchoring means.');
    expect(await details.textContent()).toContain('needed forPrice freelance services confidently');
    await details.getByRole('button', { name: 'Value, Not Hours' }).click();
    expect(await details.textContent()).toContain('What Value, Not Hours means.');
    expect(await widget.accessibilityProblems()).toEqual([]);
    await details.getByRole('button', { name: 'Work on this' }).click();
    await expect.poll(() => widget.messages).toEqual(['I want to work on: Value, Not Hours']);
    expect(widget.requests).toEqual([]);
  });

  test('filters with the server and keeps the choice of goals', async () => {
    const widget = await host.open('graph', { result: asResult(small), callTool: answering });
    const { frame } = widget;
    await frame.getByLabel('Proven only').check();
    await frame.getByText('5 nodes, 4 links, 3 proven').waitFor();
    await frame.getByLabel('Goals', { exact: true }).uncheck();
    await frame.getByText('3 nodes, 1 links, 3 proven').waitFor();
    await frame.getByLabel('Proven only').uncheck();
    await frame.getByLabel('Goals', { exact: true }).check();
    await frame.getByLabel('Goal', { exact: true }).selectOption('out_2');
    await frame.getByText('4 nodes, 4 links, 1 proven').waitFor();
    expect(widget.calls.at(-1)).toEqual({
      name: 'sage_graph',
      args: { filters: { showProvenOnly: false, showOutcomes: true, showConcepts: true, outcomeId: 'out_2' } },
    });
    await frame.getByLabel('Ideas').uncheck();
    await frame.getByText('1 nodes, 0 links, 0 proven').waitFor();
    await frame.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => widget.calls.length).toBe(7);
  });

  test('holds the same as a list', async () => {
    const widget = await host.open('graph', {
      result: asResult(small),
      callTool: answering,
      context: { theme: 'dark' },
      width: 320,
    });
    const { frame } = widget;
    await widget.screenshot('graph-dark-narrow');
    await frame.getByRole('button', { name: 'List' }).click();
    const rows = await frame.locator('.nodes .link-button').allTextContents();
    expect(rows.toSorted()).toEqual(small.nodes.map(({ label }) => label).toSorted());
    await frame.getByRole('button', { name: 'Sample Size' }).click();
    expect(await frame.locator('.details').textContent()).toContain('What Sample Size means.');
    expect(await widget.accessibilityProblems()).toEqual([]);
    expect(await frame.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await widget.screenshot('graph-list-dark-narrow');
  });

  test('can be walked by keyboard, zoomed, and shown on the full screen', async () => {
    const context = {
      availableDisplayModes: ['inline' as const, 'fullscreen' as const],
      displayMode: 'inline' as const,
    };
    const widget = await host.open('graph', { result: asResult(small), callTool: answering, context });
    const { frame, page } = widget;
    const picture = frame.getByRole('application');
    await picture.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => picture.getAttribute('aria-activedescendant')).toMatch(/^node-\d+$/);
    for (const key of ['ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowRight']) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await frame.locator('.details').waitFor();
    await page.keyboard.press('Escape');
    await frame.locator('.details').waitFor({ state: 'detached' });
    const before = await frame.locator('svg > g').first().getAttribute('transform');
    await frame.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => frame.locator('svg > g').first().getAttribute('transform')).not.toBe(before);
    await frame.getByRole('button', { name: 'Show everything' }).click();
    await frame.getByRole('button', { name: 'Full screen' }).click();
    await frame.getByRole('button', { name: 'Leave full screen' }).waitFor();
    expect(widget.records).toContainEqual({ kind: 'display-mode', what: 'fullscreen' });
  });

  test('draws five hundred nodes', async () => {
    const graph = learnerGraph(8, 492);
    const widget = await host.open('graph', { result: asResult(graph), callTool: answering });
    await expect.poll(() => widget.frame.locator('.node').count()).toBe(500);
    await widget.screenshot('graph-500');
  });

  test('speaks to a learner who has nothing yet', async () => {
    const widget = await host.open('graph', { result: asResult({ nodes: [], edges: [] }) });
    await widget.frame.getByText('Your graph grows as you learn.').waitFor();
    expect(await widget.accessibilityProblems()).toEqual([]);
  });
});
