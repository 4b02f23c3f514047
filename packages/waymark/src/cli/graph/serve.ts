import { Command } from 'commander';

export function createServeCommand(): Command {
  return new Command('serve')
    .description("Serve a graph's tools over stdin and stdout.")
    .requiredOption('-g, --graph <file>', 'the graph file')
    .option('-m, --mcp <file>', 'a file with further "mcpServers"');
}

export function createToolkitCommand(): Command {
  return new Command('toolkit')
    .description('Serve the tools an agent builds graphs with, over stdin and stdout.')
    .requiredOption('-g, --graph <file>', 'the graph file to build')
    .option('-m, --mcp <file>', 'a file with the "mcpServers" to choose from');
}
