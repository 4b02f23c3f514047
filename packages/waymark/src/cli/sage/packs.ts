import { readFile } from 'node:fs/promises';
import { loadPacks, readPack } from '../../sage/index.ts';
import { CliError } from '../cli-error.ts';

export async function checkPacks(files: readonly string[], { json }: { readonly json?: boolean }): Promise<void> {
  let failed = 0;
  const report = [];
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => {
      throw new CliError(`Cannot read ${file}`, 2);
    });
    const { pack, problems } = readPack(text);
    failed += problems.some(({ severity }) => severity === 'error') ? 1 : 0;
    report.push(...problems.map((problem) => ({ file, ...problem })));
    if (json) continue;
    for (const { severity, code, path, message } of problems) {
      process.stdout.write(`${file}: ${severity} ${code} ${path ? `${path}: ` : ''}${message}\n`);
    }
    if (!pack || problems.length > 0) continue;
    const { outcomes, concepts, scenarios } = pack;
    const checks = concepts.reduce((sum, concept) => sum + concept.checks.length, 0);
    const parts = [
      count(outcomes.length, 'outcome'),
      count(concepts.length, 'concept'),
      count(checks, 'check'),
      count(scenarios.length, 'scenario'),
    ];
    process.stdout.write(`${file}: ${parts.join(', ')}; no problems\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  if (failed > 0) throw new CliError(`${count(failed, 'pack')} with errors`);
}

export async function listPacks({ packs: directory }: { readonly packs?: string }): Promise<void> {
  const { packs } = await loadPacks(directory, (message) => process.stderr.write(`${message}\n`));
  for (const { title, id, version, license, outcomes, scenarios } of packs) {
    process.stdout.write(`${title} (${id} ${version}, ${license})\n`);
    for (const { goal, requires } of outcomes)
      process.stdout.write(`  ${goal}: ${count(requires.length, 'concept')}\n`);
    for (const scenario of scenarios) process.stdout.write(`  practice ${scenario.id}: ${scenario.title}\n`);
  }
  if (packs.length === 0) process.stdout.write('There are no packs here.\n');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
