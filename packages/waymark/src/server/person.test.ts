import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectInProcess, createCatalog, createEvents, createHost } from '../kit/index.ts';
import { createSopToolset } from '../sop/index.ts';
import type { Store } from '../store/index.ts';
import { describeStores, emptyStore } from '../store/store.test-helpers.ts';
import { exportPerson, removePerson } from './person.ts';
import { filesIn, UserRoots } from './user-roots.ts';

const procedure =
  '---\nagent: small\n---\n\n## SOP Flowchart\n\n```mermaid\nflowchart TD\n START --> END_A([end])\n```\n';

describeStores('a person', (open) => {
  let store: Store;
  let dataDirectory: string;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await emptyStore(store);
    await store.pool.query(`insert into users (id) values ('ada'), ('bob')`);
    dataDirectory = await mkdtemp(join(tmpdir(), 'waymark-person-'));
  });

  /** Each writes a file of their own and follows it, as with a server that signs people in. */
  async function work(people: readonly string[], recordIn: 'files' | 'both'): Promise<void> {
    const roots = new UserRoots(filesIn(dataDirectory), []);
    const services = { roots, events: createEvents(), dataDirectory, store: async () => store, recordIn };
    const toolset = await createSopToolset(services);
    for (const id of people) {
      await roots.runAs(id, async () => {
        await writeFile(join(roots.directories[0] ?? '', 'small.md'), procedure);
        const caller = { user: { id, scopes: 'all' as const }, conversation: `session of ${id}` };
        const client = await connectInProcess(createCatalog([toolset]), createHost(), caller);
        await client.callTool({ name: 'load_graph', arguments: { sop_file: 'small.md' } });
        await client.callTool({ name: 'goto_node', arguments: { node_id: 'START' } });
        await client.close();
      });
    }
    await toolset.close?.();
  }

  const conversationFiles = () => readdir(join(dataDirectory, 'sop', 'conversations'));
  const places = () => ({ store, dataDirectory });

  test.each(['files', 'both'] as const)('goes with conversations and files, recorded in %s', async (recordIn) => {
    await work(['ada', 'bob'], recordIn);
    const refused = await removePerson(places(), 'ada', { evenWithData: false });
    expect(refused).toMatchObject({ known: true, removed: false });
    expect(refused.data).toEqual(expect.arrayContaining(['recorded conversations', 'files']));
    expect(await conversationFiles()).toHaveLength(2);

    expect(await removePerson(places(), 'ada', { evenWithData: true })).toMatchObject({ known: true, removed: true });
    const left = await conversationFiles();
    expect(left).toHaveLength(1);
    expect(await readFile(join(dataDirectory, 'sop', 'conversations', left[0] ?? ''), 'utf8')).toContain('"bob"');
    const files = await readdir(filesIn(dataDirectory));
    const owner = files.find((name) => name.endsWith('.owner')) ?? '';
    expect(files).toHaveLength(2);
    expect(await readFile(join(filesIn(dataDirectory), owner), 'utf8')).toBe('bob\n');
    expect(await exportPerson(places(), 'ada')).toBeUndefined();
    expect(await exportPerson(places(), 'bob')).toMatchObject({ sop_conversations: [{ id: expect.any(String) }] });
    expect(await removePerson(places(), 'ada', { evenWithData: true })).toMatchObject({ known: false, removed: false });
  });

  test.each(['files', 'both'] as const)('gets everything recorded of their conversations, in %s', async (recordIn) => {
    await work(['ada', 'bob'], recordIn);
    expect(await exportPerson(places(), 'ada')).toMatchObject({
      users: [{ id: 'ada' }],
      sop_conversations: [
        {
          id: expect.any(String),
          records: [
            { type: 'started', user: 'ada' },
            { type: 'loaded', agent: 'small' },
            { type: 'moved', to: 'START' },
          ],
        },
      ],
    });
  });

  test('is known by files alone, when nothing was ever stored', async () => {
    await work(['guest'], 'files');
    expect(await exportPerson(places(), 'guest')).toMatchObject({ users: [], sop_conversations: [{}] });
    expect(await removePerson(places(), 'guest', { evenWithData: false })).toMatchObject({
      known: true,
      removed: false,
    });
    expect(await removePerson(places(), 'guest', { evenWithData: true })).toMatchObject({ removed: true });
    expect(await conversationFiles()).toEqual([]);
    expect(await readdir(filesIn(dataDirectory))).toEqual([]);
  });

  test('without data goes without further words', async () => {
    expect(await removePerson(places(), 'ada', { evenWithData: false })).toEqual({
      known: true,
      removed: true,
      data: [],
    });
  });
});
