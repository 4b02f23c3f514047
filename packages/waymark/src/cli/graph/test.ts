import { Command } from 'commander';

export function createTestCommand(): Command {
  return new Command('test').description('Run the tests of a graph file.').argument('<files...>', 'graph files');
}
