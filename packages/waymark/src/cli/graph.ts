import { Command } from 'commander';
import { nearest } from '../kit/nearest.ts';
import { CliError } from './cli-error.ts';
import { createCheckCommand } from './graph/check.ts';
import { createRenderCommand } from './graph/render.ts';
import { createRunCommand } from './graph/run.ts';
import { createServeCommand, createToolkitCommand } from './graph/serve.ts';
import { createTestCommand } from './graph/test.ts';

const examples = `
Examples:
  $ waymark graph check flow.yaml
  $ waymark graph run flow.yaml count_files --args '{"directory": "."}' --trace
  $ waymark graph test flow.yaml
  $ waymark graph render flow.yaml count_files --format svg > flow.svg
  $ waymark graph serve -g flow.yaml
  $ waymark graph toolkit -g flow.yaml -m servers.json
`;

export function createCommand(): Command {
  const command = new Command('graph')
    .description('Run, check, test, draw and serve graphs of MCP tools.')
    .usage('<command>')
    .argument('[name]')
    .addCommand(createRunCommand())
    .addCommand(createCheckCommand())
    .addCommand(createTestCommand())
    .addCommand(createRenderCommand())
    .addCommand(createServeCommand())
    .addCommand(createToolkitCommand())
    .addHelpText('after', examples);
  return command.action((name: string | undefined) => {
    if (name !== undefined) throw unknownCommand(name, command);
    command.outputHelp();
  });
}

function unknownCommand(name: string, command: Command): CliError {
  const names = command.commands.map((child) => child.name());
  const suggestion = nearest(name, names);
  const hint = suggestion ? `Did you mean "${suggestion}"?` : `There are ${names.join(', ')}.`;
  return new CliError(`Unknown command "graph ${name}". ${hint}`, 2);
}
