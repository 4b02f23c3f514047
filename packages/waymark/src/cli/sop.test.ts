import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
const examples = fileURLToPath(new URL('../../../../examples/sop/', import.meta.url));

function waymark(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'sop', ...args], {
    encoding: 'utf8',
    cwd: examples,
  });
  return { status, stdout, stderr };
}

function write(name: string, text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'waymark-cli-')), name);
  writeFileSync(path, text);
  return path;
}

const broken = '---\nagent: x\n---\n```mermaid\nflowchart TD\n A --> end\n A --> B [x] %% why\n```\n';

test('check prints one line per problem and fails on errors', () => {
  const file = write('x.md', broken);
  const { status, stdout, stderr } = waymark('check', file);
  expect(status).toBe(1);
  expect(stdout).toBe(
    [
      `${file}:6:8 error RESERVED_ID "end" is a reserved word and cannot begin a node id\n`,
      `${file}:7:10 error BLANK_BEFORE_SHAPE "[" must follow the node id without a blank\n`,
    ].join(''),
  );
  expect(stderr).toContain('2 errors, 0 warnings.');
  const { problems } = JSON.parse(waymark('check', '--json', file).stdout) as { problems: unknown[] };
  expect(problems[0]).toMatchObject({ file, line: 6, column: 8, severity: 'error', code: 'RESERVED_ID' });
});

test('check is content with the examples, warns without failing, and fails on warnings if asked', () => {
  expect(waymark('check', 'retail.md', 'airline.md', 'refund.md')).toMatchObject({ status: 0, stdout: '' });
  const file = write('x.md', '---\nagent: x\n---\n```mermaid\nflowchart TD\n A --> B\n```\n');
  expect(waymark('check', file)).toMatchObject({ status: 0, stdout: expect.stringContaining('6:8 warning DEAD_END') });
  expect(waymark('check', '--strict', file).status).toBe(1);
});

test('check --fix repairs the file', () => {
  const file = write('x.md', broken);
  const { stderr } = waymark('check', '--fix', file);
  expect(stderr).toContain('line 6: renamed the node "end" to "End"');
  expect(readFileSync(file, 'utf8')).toBe(
    broken.replace(' A --> end', ' A --> End').replace(' A --> B [x] %% why', ' %% why\n A --> B[x]'),
  );
});

test('test runs walks, prints coverage and fails with the line that went wrong', () => {
  expect(waymark('test', 'retail.test.yaml', '--min-coverage', '100')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('nodes 40/40 (100 %)'),
  });
  const file = write(
    'x.test.yaml',
    `sop: ${examples}retail.md\ntests:\n  - name: a shortcut\n    walk:\n      - START\n      - ROUTE\n`,
  );
  const { status, stdout } = waymark('test', file);
  expect(status).toBe(1);
  expect(stdout).toContain(`✗ a shortcut\n  ${file}:6 Cannot reach ROUTE from START`);
  expect(waymark('test', 'refund.md')).toMatchObject({ status: 2 });
});

test('show prints the system prompt or a node', () => {
  expect(waymark('show', 'refund.md').stdout).toMatch(/^## Role/);
  expect(JSON.parse(waymark('show', 'refund.md', 'intake').stdout)).toMatchObject({ node: { id: 'intake' } });
});

test.each([
  [['check', 'retial.md'], 'retial.md does not exist; did you mean retail.md?'],
  [['check', '.'], '. is a directory, not an SOP file'],
  [['chek', 'x'], "unknown command 'chek'. Did you mean check?"],
  [['check', '--fixx', 'x'], "unknown option '--fixx'. Did you mean --fix?"],
  [['show', 'retail.md', 'AUHT'], 'has no node AUHT; did you mean AUTH?'],
  [['test', 'retail.test.yaml', '--min-coverage', 'lots'], 'It must be a number from 0 to 100'],
])('%j is answered in one line, exit 2', (args, words) => {
  const { status, stderr } = waymark(...args);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain(words);
  expect(status).toBe(2);
});

test('a file with errors cannot be tested or shown', () => {
  const file = write('x.md', broken);
  expect(waymark('show', file)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`${file}:6:8 error RESERVED_ID`),
  });
});
