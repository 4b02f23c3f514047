import { Command } from 'commander';
import { createIntentsCommand } from './tasks-intents.ts';

export function createCommand(): Command {
  return new Command('tasks')
    .description('Tasks for people: what the offline model understands.')
    .addCommand(createIntentsCommand());
}
