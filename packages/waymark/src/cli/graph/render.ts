import { Command } from 'commander';

export function createRenderCommand(): Command {
  return new Command('render')
    .description('Draw a tool of a graph.')
    .argument('<file>', 'the graph file')
    .argument('[tool]', 'the tool');
}
