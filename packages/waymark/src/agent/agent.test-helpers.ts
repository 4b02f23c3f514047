import type { Client } from '@modelcontextprotocol/client';
import {
  connectInProcess,
  createCatalog,
  createEvents,
  createHost,
  type Host,
  silentLogger,
  type User,
} from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import { createTasksToolset } from '../tasks/index.ts';
import type { ModelAnswer, ModelStep, TurnModel } from './loop.ts';
import { TaskAgent } from './task-agent.ts';

/** Wednesday afternoon in New York. */
export const now = new Date('2026-11-18T15:30:00-05:00');
export const ada = { id: 'ada', scopes: 'all' as const };
export const bob = { id: 'bob', scopes: 'all' as const };

const clients = new WeakMap<Store, Map<string, Promise<Client>>>();

/** Tool servers live on when an agent starts anew; so do the connections to them. */
function connectTo(store: Store, user: User, host: Host): Promise<Client> {
  const known = clients.get(store) ?? new Map<string, Promise<Client>>();
  clients.set(store, known);
  const key = JSON.stringify([user.id, user.scopes === 'all' ? 'all' : [...user.scopes]]);
  const client = known.get(key) ?? connectInProcess(catalogOf(store), host, { user });
  known.set(key, client);
  return client;
}

function catalogOf(store: Store) {
  const services = { store: () => Promise.resolve(store), events: createEvents(), timeZone: 'America/New_York' };
  return createCatalog([createTasksToolset(services)]);
}

/** An agent as a fresh process would have it: on the store, and knowing nothing else. */
export function createAgent(
  store: Store,
  options: { readonly model?: TurnModel; readonly aroundCall?: Host['aroundCall'] } = {},
): TaskAgent {
  const { model, aroundCall } = options;
  const host = createHost({ clock: () => now, ...(aroundCall ? { aroundCall } : {}) });
  return new TaskAgent({
    store: () => Promise.resolve(store),
    connect: (user) => (aroundCall ? connectInProcess(catalogOf(store), host, { user }) : connectTo(store, user, host)),
    clock: () => now,
    randomId: host.randomId,
    log: silentLogger,
    timeZone: 'America/New_York',
    ...(model ? { model } : {}),
  });
}

export async function titlesOf(store: Store, user = 'ada'): Promise<string[]> {
  const { rows } = await store.pool.query<{ title: string }>(
    'select title from tasks where user_id = $1 order by position',
    [user],
  );
  return rows.map(({ title }) => title);
}

export async function idOf(store: Store, title: string): Promise<string> {
  const { rows } = await store.pool.query<{ id: string }>('select id from tasks where title = $1', [title]);
  return rows[0]?.id ?? '';
}

type Said = string | { readonly call: string; readonly with: Readonly<Record<string, unknown>> };

/** A model that says what it is told to, step by step; a function sees the request first. */
export function scriptedModel(
  ...script: readonly (Said | ((step: ModelStep) => Said | Promise<Said>))[]
): TurnModel & { readonly steps: ModelStep[] } {
  const steps: ModelStep[] = [];
  return {
    name: 'scripted',
    steps,
    async answer(step): Promise<ModelAnswer> {
      const line = script[steps.length] ?? 'I have nothing more to say.';
      steps.push(step);
      const said = typeof line === 'function' ? await line(step) : line;
      if (typeof said === 'string') return { text: said, calls: [] };
      return { text: '', calls: [{ id: `scripted_${steps.length}`, name: said.call, arguments: said.with }] };
    },
  };
}
