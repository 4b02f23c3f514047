import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConformanceServer } from '../conformance/server.ts';
import { haveTools, nodeOf, programs, run } from './programs.ts';

const node = nodeOf(22);

/** Scenarios no revision requires, of features Waymark does not offer: long-running tasks, headers from arguments. */
const isNotOffered = /^server-(?:tasks-|http-custom-header-)/;

describe.skipIf(!haveTools || !node)('the official conformance suite', () => {
  let fixtures: Awaited<ReturnType<typeof startConformanceServer>>;
  let results: string;
  beforeAll(async () => {
    fixtures = await startConformanceServer();
    results = await mkdtemp(join(tmpdir(), 'waymark-conformance-'));
  });
  afterAll(async () => {
    await fixtures.server.close();
    await rm(results, { recursive: true, force: true });
  });

  test.each([
    ['2025-11-25', 30],
    ['2026-07-28', 37],
  ])('passes every scenario that revision %s requires of a server', async (revision, required) => {
    const folder = join(results, revision);
    const url = new URL('/mcp', fixtures.url).href;
    const args = ['server', '--url', url, '--requirements', revision, '--output-dir', folder];
    const { code } = await run(node ?? '', [programs.conformance, ...args]);
    const scenarios = (await readdir(folder)).filter((name) => !isNotOffered.test(name));
    expect(await failuresIn(folder, scenarios)).toEqual([]);
    expect(scenarios.length).toBeGreaterThanOrEqual(required);
    expect(code).toBe(0);
  });
});

async function failuresIn(folder: string, scenarios: readonly string[]): Promise<string[]> {
  const failures: string[] = [];
  for (const scenario of scenarios) {
    const checks = JSON.parse(await readFile(join(folder, scenario, 'checks.json'), 'utf8')) as {
      id: string;
      status: string;
      errorMessage?: string;
    }[];
    for (const { id, status, errorMessage } of checks) {
      if (status === 'FAILURE') failures.push(`${scenario}: ${id}: ${errorMessage ?? ''}`);
    }
  }
  return failures;
}
