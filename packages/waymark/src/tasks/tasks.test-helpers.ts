import {
  type Caller,
  connectInProcess,
  createCatalog,
  createEvents,
  createHost,
  type WaymarkEvent,
} from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import { createTasksToolset } from './index.ts';

/** Wednesday afternoon in New York. */
export const now = new Date('2026-11-18T15:30:00-05:00');

// Answers are looked into field by field; what a field holds is what the tests are about.
export type Answer = Record<string, ReturnType<typeof JSON.parse>> & {
  readonly isError: boolean;
  readonly text: string;
};

export interface TestClient {
  /** Calls a tool as user `u1` unless the arguments say otherwise. */
  call(tool: string, args?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<Answer>;
  readonly events: WaymarkEvent[];
  /** Moves the clock. */
  setNow(date: Date): void;
}

export async function connectTasks(store: Store, caller: Partial<Caller['user']> = {}): Promise<TestClient> {
  let clock = now;
  const published: WaymarkEvent[] = [];
  const events = createEvents();
  events.subscribe((event) => published.push(event));
  const toolset = createTasksToolset({ store: () => Promise.resolve(store), events, timeZone: 'America/New_York' });
  const client = await connectInProcess(createCatalog([toolset]), createHost({ clock: () => clock }), {
    user: { id: 'u1', scopes: 'all', ...caller },
  });
  return {
    events: published,
    setNow: (date) => (clock = date),
    async call(tool, args = {}, meta) {
      const result = await client.callTool({
        name: tool,
        arguments: { user_id: 'u1', ...args },
        ...(meta ? { _meta: meta } : {}),
      });
      const [content] = result.content;
      const text = content?.type === 'text' ? content.text : '';
      return { ...(result.structuredContent as object), isError: result.isError === true, text };
    },
  };
}

export async function addUsers(store: Store, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await store.pool.query('insert into users (id) values ($1)', [id]);
}
