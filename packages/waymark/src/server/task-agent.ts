import type { Client } from '@modelcontextprotocol/client';
import type { TaskAgent } from '../agent/index.ts';
import { connectInProcess, createCatalog, type Host, type User } from '../kit/index.ts';
import type { ToolsetServices } from './toolsets.ts';
import { loadToolsets } from './toolsets.ts';

export interface TaskAgentOptions {
  readonly host: Host;
  /** `provider/name`; without it the offline model answers. */
  readonly model?: string | undefined;
  readonly timeZone?: string | undefined;
  /** Serves only the tools that change nothing. */
  readonly readOnly?: boolean;
}

const maxClients = 200;

/** The task agent on the task tools of this process, reached as any MCP client would reach them. */
export async function createTaskAgent(services: ToolsetServices, options: TaskAgentOptions): Promise<TaskAgent> {
  const [{ TaskAgent: Agent, loadModel }, toolsets] = await Promise.all([
    import('../agent/index.ts'),
    loadToolsets(['tasks'], services),
  ]);
  const catalog = createCatalog(toolsets, { readOnly: options.readOnly });
  const clients = new Map<string, Promise<Client>>();
  return new Agent({
    store: services.store,
    events: services.events,
    log: options.host.log,
    clock: options.host.clock,
    randomId: options.host.randomId,
    timeZone: options.timeZone,
    ...(options.model === undefined || options.model === 'offline'
      ? {}
      : { model: await loadModel(options.model, process.env) }),
    connect(user: User) {
      const key = user.scopes === 'all' ? user.id : `${user.id} ${[...user.scopes].toSorted().join(' ')}`;
      const known = clients.get(key) ?? connectInProcess(catalog, options.host, { user });
      clients.delete(key);
      clients.set(key, known);
      const oldest = clients.size > maxClients ? clients.keys().next().value : undefined;
      if (oldest !== undefined) {
        void clients.get(oldest)?.then((client) => client.close());
        clients.delete(oldest);
      }
      return known;
    },
  });
}
