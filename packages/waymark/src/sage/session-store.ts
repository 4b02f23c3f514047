import { ToolError } from '../kit/index.ts';
import { neutral } from './adaptation.ts';
import { type Circumstances, newId } from './circumstances.ts';
import type { Checkin, Learner, Mode, Session, SessionEnd } from './model.ts';
import { toSession } from './rows.ts';
import type { Database } from './tables.ts';

export async function findSession(
  db: Database,
  userId: string,
  id: string,
  options: { readonly lock?: boolean } = {},
): Promise<Session> {
  const query = db.selectFrom('sage_sessions').selectAll().where('user_id', '=', userId).where('id', '=', id);
  const row = await (options.lock ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw new ToolError('SESSION_NOT_FOUND', 'Session not found', { sessionId: id });
  return toSession(row);
}

export function requireOpen(session: Session): Session {
  if (session.endedAt === null) return session;
  throw new ToolError('SESSION_ENDED', 'This session has ended; start a new one with sage_start_session', {
    sessionId: session.id,
  });
}

export async function openSessions(db: Database, userId: string): Promise<Session[]> {
  const rows = await db
    .selectFrom('sage_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .orderBy('started_at', 'desc')
    .execute();
  return rows.map(toSession);
}

/** The newest sessions, open or ended. */
export async function recentSessions(db: Database, userId: string, limit: number): Promise<Session[]> {
  const rows = await db
    .selectFrom('sage_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('started_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toSession);
}

export async function insertSession(
  db: Database,
  learner: Learner,
  goal: string | null,
  checkinToken: string,
  circumstances: Circumstances,
): Promise<Session> {
  const row = await db
    .insertInto('sage_sessions')
    .values({
      id: newId('sess', circumstances),
      user_id: learner.userId,
      outcome_id: learner.activeOutcomeId,
      goal,
      checkin_token: checkinToken,
      checkins: '[]',
      adaptations: JSON.stringify(neutral),
      mode: 'check_in',
      state: '{}',
      turns: 0,
      started_at: circumstances.now,
      last_turn_at: null,
      active_ms: 0,
      ended_at: null,
      end_reason: null,
      summary: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toSession(row);
}

export async function saveCheckin(
  db: Database,
  session: Session,
  checkins: readonly Checkin[],
  adaptations: Session['adaptations'],
): Promise<void> {
  await db
    .updateTable('sage_sessions')
    .set({ checkins: JSON.stringify(checkins), adaptations: JSON.stringify(adaptations) })
    .where('id', '=', session.id)
    .execute();
}

export async function saveEnd(
  db: Database,
  session: Session,
  end: SessionEnd,
  reason: string,
  now: Date,
  activeMs: number,
): Promise<void> {
  await db
    .updateTable('sage_sessions')
    .set({ ended_at: now, end_reason: reason, summary: JSON.stringify(end), active_ms: activeMs })
    .where('id', '=', session.id)
    .execute();
}

export async function turnModes(db: Database, sessionId: string): Promise<Mode[]> {
  const rows = await db
    .selectFrom('sage_turns')
    .select('mode')
    .where('session_id', '=', sessionId)
    .orderBy('seq')
    .execute();
  return rows.map(({ mode }) => mode);
}

export interface StoredTurn {
  readonly seq: number;
  readonly message: string;
  readonly result: unknown;
  readonly at: Date;
}

export async function turnsOf(db: Database, sessionId: string, last = 200): Promise<StoredTurn[]> {
  const rows = await db
    .selectFrom('sage_turns')
    .select(['seq', 'message', 'result', 'at'])
    .where('session_id', '=', sessionId)
    .orderBy('seq', 'desc')
    .limit(last)
    .execute();
  return rows.toReversed().map(({ result, ...row }) => ({ ...row, result: JSON.parse(result) as unknown }));
}

/** The answer given to the same request before, if a host repeats it. */
export async function answeredBefore(db: Database, sessionId: string, key: string): Promise<unknown> {
  const row = await db
    .selectFrom('sage_turns')
    .select('result')
    .where('session_id', '=', sessionId)
    .where('request_key', '=', key)
    .executeTakeFirst();
  return row && (JSON.parse(row.result) as unknown);
}
