import type { Logger } from '../../kit/index.ts';
import type { Store } from '../../store/store.ts';
import { authTables } from './tables.ts';

export interface AuditEntry {
  /** Noun and verb, such as `login-failed`, `token-created`, `tool-called`. */
  readonly event: string;
  readonly userId?: string | undefined;
  readonly client?: string | undefined;
  readonly address?: string | undefined;
  readonly details?: Record<string, unknown>;
}

export interface AuditRecord extends Required<Pick<AuditEntry, 'event' | 'details'>> {
  readonly id: string;
  readonly at: Date;
  readonly userId: string | null;
  readonly client: string | null;
  readonly address: string | null;
}

/** Who did what, when, from where. Written behind, in order; read by the operator. */
export class Audit {
  readonly #store: () => Promise<Store>;
  readonly #log: Logger;
  #tail: Promise<void> = Promise.resolve();

  constructor(store: () => Promise<Store>, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  record(entry: AuditEntry): void {
    this.#tail = this.#tail
      .then(() => this.#write(entry))
      .catch((error: unknown) => {
        this.#log.error('audit entry lost', { event: entry.event, error });
      });
  }

  flush(): Promise<void> {
    return this.#tail;
  }

  async list(
    filter: { userId?: string; event?: string; limit?: number; beforeId?: string } = {},
  ): Promise<AuditRecord[]> {
    await this.flush();
    let query = authTables(await this.#store())
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(filter.limit ?? 100);
    if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId);
    if (filter.event !== undefined) query = query.where('event', '=', filter.event);
    if (filter.beforeId !== undefined) query = query.where('id', '<', filter.beforeId);
    return (await query.execute()).map(({ user_id: userId, ...row }) => ({ ...row, userId }));
  }

  async #write({ event, userId, client, address, details = {} }: AuditEntry): Promise<void> {
    const row = {
      event,
      user_id: userId ?? null,
      client: client ?? null,
      address: address ?? null,
      details: JSON.stringify(details),
    };
    await authTables(await this.#store())
      .insertInto('audit_log')
      .values(row)
      .execute();
  }
}
