import type { Client } from '@modelcontextprotocol/client';
import type { TaskAgent } from '../agent/index.ts';
import { connectInProcess, createCatalog, type Host, type User } from '../kit/index.ts';
import { loadToolsets, type ToolsetServices } from './toolsets.ts';

export type ConnectTasks = (user: User) => Promise<Client>;

export interface TaskAgentOptions {
  readonly host: Host;
  readonly connect: ConnectTasks;
  /** `provider/name`; without it the offline model answers. */
  readonly model?: string | undefined;
  readonly timeZone?: string | undefined;
}

const maxClients = 200;

/** Clients on the task tools of this process, one for each user and kept while they are used. */
export async function connectTaskTools(
  services: ToolsetServices,
  host: Host,
  options: { readonly readOnly?: boolean | undefined } = {},
): Promise<ConnectTasks> {
  const catalog = createCatalog(await loadToolsets(['tasks'], services), options);
  const clients = new Map<string, Promise<Client>>();
  return (user) => {
    const key = user.scopes === 'all' ? user.id : `${user.id} ${[...user.scopes].toSorted().join(' ')}`;
    const client = clients.get(key) ?? connectInProcess(catalog, host, { user });
    clients.delete(key);
    clients.set(key, client);
    const oldest = clients.size > maxClients ? clients.keys().next().value : undefined;
    if (oldest !== undefined) {
      void clients.get(oldest)?.then((unused) => unused.close());
      clients.delete(oldest);
    }
    return client;
  };
}

/** The task agent, on task tools that it reaches as any MCP client would. */
export async function createTaskAgent(services: ToolsetServices, options: TaskAgentOptions): Promise<TaskAgent> {
  const { TaskAgent: Agent, loadModel } = await import('../agent/index.ts');
  const { host, connect, model, timeZone } = options;
  return new Agent({
    store: services.store,
    events: services.events,
    log: host.log,
    clock: host.clock,
    randomId: host.randomId,
    connect,
    timeZone,
    ...(model === undefined || model === 'offline' ? {} : { model: await loadModel(model, process.env) }),
  });
}
