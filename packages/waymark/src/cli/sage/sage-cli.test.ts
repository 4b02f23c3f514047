import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../../bin/waymark.js', import.meta.url));
const example = fileURLToPath(new URL('../../../../../examples/packs/saying-no.yaml', import.meta.url));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waymark-sage-cli-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function waymark(args: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, 'sage', ...args], (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
    child.stdin?.end(input);
  });
}

test('packs check: 0 without problems, 1 with errors, 2 for a file that is not there', async () => {
  expect(await waymark(['packs', 'check', example])).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 outcome, 2 concepts, 4 checks, 1 scenario; no problems'),
  });
  const broken = join(directory, 'broken.yaml');
  await writeFile(
    broken,
    (await readFile(example, 'utf8')).replace('requires: [clear_no,', 'requires: [clear_nothing,'),
  );
  const found = await waymark(['packs', 'check', broken]);
  expect(found.code).toBe(1);
  expect(found.out).toContain(
    'error UNKNOWN_ID outcomes.turn_down_requests.requires: there is no concept "clear_nothing"',
  );
  const json = await waymark(['packs', 'check', '--json', broken]);
  expect(JSON.parse(json.out)).toContainEqual(expect.objectContaining({ file: broken, code: 'UNKNOWN_ID' }));
  expect(await waymark(['packs', 'check', join(directory, 'nothing.yaml')])).toMatchObject({ code: 2 });
});

test('a learner is tutored, exported, imported for another, and takes cards along', { timeout: 60_000 }, async () => {
  const data = ['--data', join(directory, 'data')];
  const packs = ['--packs', join(example, '..')];
  const talk = ['hello', '/practice', "No, I can't.", '/hint', '/feedback', '/progress', '/nonsense'].join('\n');
  const chat = await waymark(['chat', '--goal', 'saying no', '--minutes', '10', ...packs, ...data], talk);
  expect(chat).toMatchObject({ code: 0, err: '' });
  expect(chat.out).toContain('With 10 minutes we take one: The Clear No.');
  expect(chat.out).toContain('counting on you');
  expect(chat.out).toContain("Turn 1, “No, I can't”");
  expect(chat.out).toContain('I know /practice');
  expect(chat.out).toContain('Next:');

  const file = join(directory, 'me.json');
  expect((await waymark(['export', '--out', file, ...data])).code).toBe(0);
  expect(await waymark(['import', file, ...data])).toMatchObject({
    code: 1,
    err: expect.stringContaining('--replace'),
  });
  expect(await waymark(['import', file, '--user', 'ann', ...data])).toMatchObject({
    code: 0,
    out: '1 outcomes, 2 concepts, 0 proofs, 1 sessions\n',
  });
  expect((await waymark(['anki', '--user', 'ann', ...data])).out).toContain('#deck:Waymark');
  expect(await waymark(['chat', '--minutes', 'long'])).toMatchObject({ code: 2 });
});
