import { Command } from 'commander';
import { asCliError, type OpenFlags } from './open.ts';

interface CheckFlags extends OpenFlags {
  json?: boolean;
}

export function createCheckCommand(): Command {
  return new Command('check')
    .description('Find what is wrong in a graph file. Exits with 1 when there are errors.')
    .argument('<files...>', 'graph files')
    .option('-m, --mcp <file>', 'a file with further "mcpServers"')
    .option('--json', 'print the problems as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ waymark graph check flow.yaml\n  flow.yaml:12:9 error missing-target Node "a" …\n',
    )
    .action(check);
}

async function check(files: string[], { mcp, json }: CheckFlags): Promise<void> {
  const { loadGraphFile } = await import('../../graph/load-file.ts');
  const { formatProblem } = await import('../../graph/load/yaml-source.ts');
  const results = files.map((file) => asCliError(() => loadGraphFile(file, mcp === undefined ? {} : { mcpFile: mcp })));
  const problems = results.flatMap((result) => result.problems);
  if (json) process.stdout.write(`${JSON.stringify(problems.map(flatten), null, 2)}\n`);
  else for (const problem of problems) process.stdout.write(`${formatProblem(problem)}\n`);
  if (results.some((result) => !result.ok)) process.exitCode = 1;
}

function flatten<T extends { position: { line: number; column: number } }>({ position, ...problem }: T) {
  return { ...problem, ...position };
}
