import type { Command } from 'commander';
import type { Circumstances, TaskService } from '../tasks/index.ts';
import { CliError } from './cli-error.ts';
import { type StoreFlags, withStore } from './with-store.ts';

export interface TaskFlags extends StoreFlags {
  readonly user: string;
}

export function withTaskOptions(command: Command): Command {
  return command
    .option('--user <id>', 'whose tasks', 'local')
    .option('--data <dir>', 'directory of the embedded store (default: WAYMARK_DATA or .waymark)')
    .option('--config <file>', 'read settings from a file (default: waymark.yaml, if there is one)');
}

/** Runs one piece of work on the tasks of a user; refusals become a line for people. */
export async function withTasks<T>(
  flags: TaskFlags,
  work: (service: TaskService, circumstances: Circumstances) => Promise<T>,
): Promise<T> {
  const [{ TaskService: Service }, { createEvents, ToolError }, { randomBytes }] = await Promise.all([
    import('../tasks/index.ts'),
    import('../kit/index.ts'),
    import('node:crypto'),
  ]);
  return withStore(flags, async (store) => {
    const service = new Service({ store: () => Promise.resolve(store), events: createEvents() });
    const circumstances: Circumstances = {
      userId: flags.user,
      now: new Date(),
      randomId: () => randomBytes(18).toString('base64url'),
    };
    return work(service, circumstances).catch((error: unknown): never => {
      if (!(error instanceof ToolError) || error.code === 'STORE_UNAVAILABLE') throw error;
      if (error.code === 'INVALID_USER') {
        throw new CliError(`There is no user ${flags.user}. Add one with: waymark users add ${flags.user}`, 2);
      }
      const { reason } = error.details;
      throw new CliError(typeof reason === 'string' ? `${error.message}: ${reason}` : error.message);
    });
  });
}
