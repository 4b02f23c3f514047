import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import {
  type Caller,
  connectInProcess,
  createCatalog,
  createEvents,
  createHost,
  type WaymarkEvent,
} from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import { createSageToolset } from './index.ts';
import type { SageServices } from './services.ts';

/** A Wednesday morning. */
export const now = new Date('2026-11-18T09:00:00Z');

export const examplePacks = fileURLToPath(new URL('../../../../examples/packs', import.meta.url));

// Answers are looked into field by field; what a field holds is what the tests are about.
type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  readonly data: Record<string, Json>;
  readonly meta: Record<string, Json>;
  readonly text: string;
  readonly isError: boolean;
}

let learners = 0;

export interface TestTutor {
  /** Somebody new, unless a test says who. */
  readonly user: string;
  readonly client: Client;
  readonly events: WaymarkEvent[];
  call(tool: string, args?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<Answer>;
  /** Starts a session, and checks in if something is given. */
  start(goal?: string, checkin?: Record<string, unknown>): Promise<string>;
  /** Says something in the session started last. */
  say(message: string): Promise<Answer>;
  pass(time: { readonly days?: number; readonly minutes?: number }): void;
}

export async function connectSage(
  store: Store | Promise<Store>,
  options: { readonly user?: Partial<Caller['user']>; readonly services?: Partial<SageServices> } = {},
): Promise<TestTutor> {
  let clock = now;
  const user = { id: `learner-${(learners += 1)}`, scopes: 'all' as const, ...options.user };
  const published: WaymarkEvent[] = [];
  const events = createEvents();
  events.subscribe((event) => published.push(event));
  const toolset = createSageToolset({ store: async () => store, events, packs: examplePacks, ...options.services });
  const client = await connectInProcess(createCatalog([toolset]), createHost({ clock: () => clock }), { user });
  let current = '';
  const tutor: TestTutor = {
    user: user.id,
    client,
    events: published,
    async call(tool, args = {}, meta) {
      const result = await client.callTool({ name: tool, arguments: args, ...(meta ? { _meta: meta } : {}) });
      const [content] = result.content;
      return {
        data: (result.structuredContent ?? {}) as Record<string, Json>,
        meta: (result._meta ?? {}) as Record<string, Json>,
        text: content?.type === 'text' ? content.text : '',
        isError: result.isError === true,
      };
    },
    async start(goal, checkin) {
      const { data } = await tutor.call('sage_start_session', goal === undefined ? {} : { goal });
      current = data['sessionId'];
      if (checkin) await tutor.call('sage_checkin', { session_id: current, ...checkin });
      return current;
    },
    say: (message) => tutor.call('sage_message', { session_id: current, message }),
    pass({ days = 0, minutes = 0 }) {
      clock = new Date(clock.getTime() + (days * 24 * 60 + minutes) * 60_000);
    },
  };
  return tutor;
}

/** Answers to the example pack that are solid and in nobody else's words. */
export const solid = {
  clearNo: [
    'If I refuse right away they can look for someone else, and with lots of reasons they just start to argue about each one.',
    'They will count on it and wait until Friday. I would say "I can\'t do this one, sorry".',
  ],
  alternative: [
    'I offered twenty minutes on Tuesday to look at the numbers, because that is specific and I knew I could actually do it.',
    'If I have no time left I would just refuse, since an offer that I break lets them down twice and they trust me less.',
  ],
} as const;

/** From the first message to the proof of the first concept. */
export async function proveFirst(tutor: TestTutor): Promise<Answer> {
  await tutor.say('hello');
  await tutor.say('I have no idea');
  await tutor.say(solid.clearNo[0]);
  return tutor.say(solid.clearNo[1]);
}
