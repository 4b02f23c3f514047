import { sql } from 'kysely';
import { type Circumstances, newId } from './circumstances.ts';
import type { NewConcept } from './engine.ts';
import type { EdgeType } from './model.ts';
import type { Database } from './tables.ts';

/** Writes to the learning graph inside somebody else's transaction. */
export class GraphWriter {
  readonly #db: Database;
  readonly #circumstances: Circumstances;
  readonly #ids = new Map<string, string>();

  constructor(db: Database, circumstances: Circumstances) {
    this.#db = db;
    this.#circumstances = circumstances;
  }

  async link(from: string, to: string, type: EdgeType, metadata: Record<string, unknown> = {}): Promise<void> {
    await this.#db
      .insertInto('sage_edges')
      .values({
        user_id: this.#circumstances.userId,
        from_id: from,
        to_id: to,
        type,
        metadata: JSON.stringify(metadata),
      })
      .onConflict((oc) => oc.doNothing())
      .execute();
  }

  /** The ids of concepts by name; those that do not exist are left out. */
  async conceptIds(names: readonly string[]): Promise<Map<string, string>> {
    const unknown = names.filter((name) => !this.#ids.has(name));
    if (unknown.length > 0) {
      const rows = await this.#db
        .selectFrom('sage_concepts')
        .select(['id', 'name'])
        .where('user_id', '=', this.#circumstances.userId)
        .where('name', '=', sql<string>`any(${unknown})`)
        .execute();
      for (const { id, name } of rows) this.#ids.set(name, id);
    }
    return new Map(names.flatMap((name) => (this.#ids.has(name) ? [[name, this.#ids.get(name) ?? '']] : [])));
  }

  /** Makes the concepts that are new and lets the outcome require them all. */
  async require(outcomeId: string | null, concepts: readonly NewConcept[]): Promise<void> {
    if (concepts.length === 0) return;
    const { userId, now } = this.#circumstances;
    const known = await this.conceptIds(concepts.map(({ name }) => name));
    const fresh = concepts.filter(({ name }) => !known.has(name));
    if (fresh.length > 0) {
      await this.#db
        .insertInto('sage_concepts')
        .values(
          fresh.map((concept, position) => ({
            id: newId('con', this.#circumstances),
            user_id: userId,
            name: concept.name,
            display_name: concept.displayName,
            summary: concept.summary,
            pack_id: concept.packId,
            status: 'identified' as const,
            discovered_from: outcomeId,
            times_discussed: 0,
            passed: '[]',
            // One after the other, so that they come back in this order.
            discovered_at: new Date(now.getTime() + position),
            understood_at: null,
          })),
        )
        .onConflict((oc) => oc.doNothing())
        .execute();
    }
    const ids = await this.conceptIds(concepts.map(({ name }) => name));
    const edges = concepts.flatMap(({ name }) => {
      const id = ids.get(name);
      return id && outcomeId ? [{ from: outcomeId, to: id, type: 'requires' as const, metadata: '{}' }] : [];
    });
    await this.#insertEdges([...edges, ...(await this.#relations(concepts, ids))]);
  }

  async #relations(concepts: readonly NewConcept[], ids: ReadonlyMap<string, string>) {
    const others = await this.conceptIds(concepts.flatMap(({ relates }) => relates?.map(({ to }) => to) ?? []));
    return concepts.flatMap(({ name, relates = [] }) =>
      relates.flatMap(({ to, how }) => {
        const [from, target] = [ids.get(name), others.get(to)];
        const metadata = JSON.stringify({ relationship: how });
        return from && target && from !== target ? [{ from, to: target, type: 'relates_to' as const, metadata }] : [];
      }),
    );
  }

  async #insertEdges(edges: readonly { from: string; to: string; type: EdgeType; metadata: string }[]): Promise<void> {
    if (edges.length === 0) return;
    const { userId } = this.#circumstances;
    await this.#db
      .insertInto('sage_edges')
      .values(
        edges.map(({ from, to, type, metadata }) => ({ user_id: userId, from_id: from, to_id: to, type, metadata })),
      )
      .onConflict((oc) => oc.doNothing())
      .execute();
  }

  /** Counts the concepts as talked about and ties them to the session. */
  async discussed(names: readonly string[], sessionId: string, depth: 'discussed' | 'deep_dive'): Promise<string[]> {
    const ids = [...(await this.conceptIds(names)).values()];
    if (ids.length === 0) return [];
    await this.#db
      .updateTable('sage_concepts')
      .set((update) => ({ times_discussed: update('times_discussed', '+', 1) }))
      .where('id', 'in', ids)
      .execute();
    const metadata = JSON.stringify({ depth });
    await this.#insertEdges(ids.map((from) => ({ from, to: sessionId, type: 'explored_in' as const, metadata })));
    return ids;
  }
}
