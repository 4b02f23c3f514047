import { Command } from 'commander';
import { CliError } from './cli-error.ts';

interface EvalFlags {
  model?: string;
  only?: string[];
  json?: boolean;
}

const examples = `
Examples:
  $ waymark eval scenarios.yaml                         with the offline model
  $ waymark eval scenarios.yaml --model openai/gpt-5
  $ waymark eval scenarios.yaml --only DEL-01,DEL-02
`;

export function createCommand(): Command {
  return new Command('eval')
    .description(
      'Play scenario files against the task agent and report. A temporary store is used; your tasks are not touched.',
    )
    .argument('<files...>', 'scenario files (YAML)')
    .option('--model <provider/name>', 'language model (default: $WAYMARK_MODEL, else offline)')
    .option('--only <ids>', 'only these scenarios', (value: string) => value.split(','))
    .option('--json', 'print every turn as JSON')
    .addHelpText('after', examples)
    .action(run);
}

async function run(files: string[], flags: EvalFlags): Promise<void> {
  const [{ readFile }, { parseScenarios, renderReport, runScenario, ScenarioError, summarise }, { openStage }] =
    await Promise.all([import('node:fs/promises'), import('../agent/evaluation/index.ts'), import('./eval-stage.ts')]);
  const parsed = [];
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => {
      throw new CliError(`${file}: no such file`, 2);
    });
    try {
      parsed.push(parseScenarios(text));
    } catch (error) {
      throw error instanceof ScenarioError ? new CliError(`${file}: ${error.message}`, 2) : error;
    }
  }
  const model = flags.model ?? (process.env['WAYMARK_MODEL'] || 'offline');
  const stage = await openStage(model);
  try {
    const reports = [];
    for (const file of parsed) {
      for (const scenario of file.scenarios) {
        if (flags.only && !flags.only.includes(scenario.id)) continue;
        reports.push(await runScenario(scenario, file, stage));
      }
    }
    if (flags.json)
      process.stdout.write(`${JSON.stringify({ summary: summarise(reports), scenarios: reports }, null, 2)}\n`);
    else process.stdout.write(`${renderReport(reports, model)}\n`);
    if (reports.some(({ passed }) => !passed)) process.exitCode = 1;
  } finally {
    await stage.close();
  }
}
