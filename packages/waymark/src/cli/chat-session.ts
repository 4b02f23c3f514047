import { resolve } from 'node:path';
import type { CallRecord, TaskAgent } from '../agent/index.ts';
import { createHost, createRoots } from '../kit/index.ts';
import { createLogger } from '../server/log.ts';
import { createServices } from '../server/services.ts';
import { connectTaskTools, createTaskAgent } from '../server/task-agent.ts';
import { version } from '../server/version.ts';
import { CliError } from './cli-error.ts';

export interface ChatSessionOptions {
  readonly user: string;
  readonly data?: string | undefined;
  readonly model?: string | undefined;
  readonly conversation?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly clock?: () => Date;
}

export interface ChatSession {
  readonly greeting: string;
  say(message: string): Promise<{ reply: string; calls: readonly CallRecord[]; conversation: string }>;
  close(): Promise<void>;
}

/** A conversation with the task agent from the command line. */
export async function openChatSession(options: ChatSessionOptions): Promise<ChatSession> {
  const log = createLogger(process.env['WAYMARK_DEBUG'] ? 'debug' : 'silent');
  const services = createServices({
    dataDirectory: resolve(options.data ?? process.env['WAYMARK_DATA'] ?? '.waymark'),
    databaseUrl: process.env['DATABASE_URL'],
    roots: await createRoots(['.']),
    log,
  });
  try {
    const model = options.model ?? (process.env['WAYMARK_MODEL'] || undefined);
    if (model !== undefined && model !== 'offline') await requireModel(model);
    const { pool } = await services.store();
    await pool.query('insert into users (id) values ($1) on conflict do nothing', [options.user]);
    const host = createHost({
      info: { name: 'waymark', version },
      log,
      ...(options.clock ? { clock: options.clock } : {}),
    });
    const agent = await createTaskAgent(services, {
      host,
      connect: await connectTaskTools(services, host),
      model,
      timeZone: options.timeZone,
    }).catch((error: unknown) => {
      throw new CliError(error instanceof Error ? error.message : String(error), 2);
    });
    return sessionOf(agent, options, () => services.close());
  } catch (error) {
    await services.close();
    throw error;
  }
}

/** A model that cannot be had is told before anything is opened. */
async function requireModel(choice: string): Promise<void> {
  const { loadModel } = await import('../agent/index.ts');
  await loadModel(choice, process.env).catch((error: unknown) => {
    throw new CliError(error instanceof Error ? error.message : String(error), 2);
  });
}

function sessionOf(agent: TaskAgent, options: ChatSessionOptions, close: () => Promise<void>): ChatSession {
  let conversation = options.conversation;
  const user = { id: options.user, scopes: 'all' as const };
  return {
    greeting: `Waymark tasks (${agent.modelName === 'offline' ? 'offline: fixed rules, no language model' : agent.modelName}). Say "help" for examples, "exit" to end.`,
    async say(message) {
      const calls: CallRecord[] = [];
      try {
        const answer = await agent.turn({
          user,
          message,
          conversation,
          timeZone: options.timeZone,
          onCall: (call) => calls.push(call),
        });
        conversation = answer.conversation;
        return answer;
      } catch {
        conversation ??= '';
        return { reply: "I'm having trouble right now. Please try again.", calls, conversation };
      }
    },
    close,
  };
}
