import type { Kysely } from 'kysely';
import * as users from './0100-users.ts';
import * as tasks from './0200-tasks.ts';
import * as sop from './0300-sop.ts';
import * as graph from './0400-graph.ts';
import * as agent from './0500-agent.ts';
import * as sage from './0600-sage.ts';
import * as auth from './0700-auth.ts';

export interface Migration {
  up(db: Kysely<unknown>): Promise<void>;
}

/** Every change of the schema, by name. Those a store has not seen yet run in the order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0100-users': users,
  '0200-tasks': tasks,
  '0300-sop': sop,
  '0400-graph': graph,
  '0500-agent': agent,
  '0600-sage': sage,
  '0700-auth': auth,
};
