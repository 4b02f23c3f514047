import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { allScopes, createRoots, scopes, silentLogger } from '../../src/kit/index.ts';
import { createServices } from '../../src/server/services.ts';
import { loadToolsets, toolsetNames } from '../../src/server/toolsets.ts';

const page = new URL('../../../../docs/security.md', import.meta.url);

test('docs/security.md lists every scope with the tools it allows, as the code has it', async () => {
  const roots = await createRoots([tmpdir()]);
  const services = createServices({ dataDirectory: tmpdir(), roots, log: silentLogger });
  const tools = (await loadToolsets(toolsetNames, services)).flatMap((toolset) => toolset.tools());
  const rows = allScopes.map((scope) => {
    const allowed = tools.filter((tool) => tool.scopes.includes(scope)).map((tool) => `\`${tool.name}\``);
    return `| \`${scope}\` | ${scopes[scope]} | ${allowed.join(', ')} |`;
  });
  const table = ['| scope | means | tools |', '|---|---|---|', ...rows].join('\n');
  const text = await readFile(page, 'utf8');
  const between = /(?<=<!-- scopes -->\n)[\s\S]*?(?=\n<!-- \/scopes -->)/;
  if (process.env['WAYMARK_UPDATE_DOCS'])
    await writeFile(
      page,
      text.replace(between, () => table),
    );
  const written = between.exec(await readFile(page, 'utf8'))?.[0];
  expect(written, 'run with WAYMARK_UPDATE_DOCS=1 to write it').toBe(table);
});

test('every tool asks for a scope, and readers never for a writing one', async () => {
  const roots = await createRoots([tmpdir()]);
  const services = createServices({ dataDirectory: tmpdir(), roots, log: silentLogger });
  for (const toolset of await loadToolsets(toolsetNames, services)) {
    for (const tool of toolset.tools()) {
      expect(tool.scopes.length, tool.name).toBeGreaterThan(0);
      if (tool.annotations.readOnly)
        expect(
          tool.scopes.filter((scope) => scope.endsWith(':write')),
          tool.name,
        ).toEqual([]);
    }
  }
});
