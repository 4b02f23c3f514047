import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectSage } from './sage.test-helpers.ts';

const noStore = Promise.reject(new Error('the store is not needed here'));
noStore.catch(() => {});

test('the four widgets are resources that load nothing from anywhere [SAGE-002]', async () => {
  const { client } = await connectSage(noStore);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(
    ['checkin', 'progress', 'graph', 'practice'].map((name) => `ui://widget/${name}.html`),
  );
  for (const { uri, mimeType } of resources) {
    expect(mimeType).toBe('text/html;profile=mcp-app');
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([
      {
        uri,
        mimeType: 'text/html;profile=mcp-app',
        text: expect.stringContaining('<!doctype html'),
        _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
      },
    ]);
  }
});

test('a built widget is served as it is; without one a plain page says what to do', async () => {
  const widgetsDirectory = await mkdtemp(join(tmpdir(), 'widgets-'));
  try {
    await writeFile(join(widgetsDirectory, 'graph.html'), '<p>built</p>');
    const { client } = await connectSage(noStore, { services: { widgetsDirectory } });
    const read = async (name: string) =>
      (await client.readResource({ uri: `ui://widget/${name}.html` })).contents[0] as { text: string };
    expect((await read('graph')).text).toBe('<p>built</p>');
    expect((await read('checkin')).text).toContain('<h1>Check-in</h1>');
  } finally {
    await rm(widgetsDirectory, { recursive: true });
  }
});
