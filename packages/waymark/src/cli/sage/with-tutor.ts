import { randomBytes } from 'node:crypto';
import { createEvents, ToolError } from '../../kit/index.ts';
import { type Circumstances, createSage, type Sage } from '../../sage/index.ts';
import { tutorModel } from '../../server/tutor-model.ts';
import type { Store } from '../../store/index.ts';
import { CliError } from '../cli-error.ts';
import { type StoreFlags, withStore } from '../with-store.ts';

export interface LearnerFlags extends StoreFlags {
  readonly user: string;
  readonly packs?: string;
  readonly model?: string;
}

export interface Tutor {
  readonly sage: Sage;
  readonly store: Store;
  /** As of now. */
  circumstances(): Circumstances;
}

/** Runs one piece of work with the tutor of a user; refusals become a line for people. */
export async function withTutor<T>(flags: LearnerFlags, work: (tutor: Tutor) => Promise<T>): Promise<T> {
  return withStore(flags, async (store) => {
    const sage = createSage({
      store: () => Promise.resolve(store),
      events: createEvents(),
      packs: flags.packs,
      generate: tutorModel(flags.model),
    });
    const circumstances = (): Circumstances => ({
      userId: flags.user,
      now: new Date(),
      randomId: () => randomBytes(18).toString('base64url'),
      clientZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      requestKey: undefined,
      signal: new AbortController().signal,
    });
    return work({ sage, store, circumstances }).catch((error: unknown): never => {
      throw error instanceof ToolError && error.code !== 'STORE_UNAVAILABLE' ? new CliError(error.message) : error;
    });
  });
}
