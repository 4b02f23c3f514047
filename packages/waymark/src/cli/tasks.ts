import { Command } from 'commander';
import { createIntentsCommand } from './tasks-intents.ts';
import { createAddCommand, createDoneCommand, createListCommand } from './tasks-list.ts';
import { createExportCommand, createImportCommand } from './tasks-transfer.ts';

const examples = `
Examples:
  $ waymark tasks add "pay rent every month on the 1st p1 #home"
  $ waymark tasks list --due-before "next monday"
  $ waymark tasks import todo.txt --dry-run
  $ waymark tasks export --format icalendar > tasks.ics
`;

export function createCommand(): Command {
  return new Command('tasks')
    .description('Tasks on the command line: add, list, complete, import and export.')
    .addHelpText('after', examples)
    .addCommand(createAddCommand())
    .addCommand(createListCommand())
    .addCommand(createDoneCommand())
    .addCommand(createImportCommand())
    .addCommand(createExportCommand())
    .addCommand(createIntentsCommand());
}
