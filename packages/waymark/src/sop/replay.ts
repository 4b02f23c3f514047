import { applyEvent, type ConversationRecord, currentWalk, startConversation } from './conversation.ts';
import type { Navigation, Sop } from './model.ts';
import { planMove } from './navigate.ts';

/** A recorded move that the SOP at hand decides otherwise. */
export interface Difference {
  /** Which move of the conversation it is, counted from 1. */
  readonly move: number;
  readonly from: string | null;
  readonly to: string;
  readonly before: 'allowed' | 'refused';
  readonly after: 'allowed' | 'refused';
  readonly reason?: string;
}

export interface Replay {
  readonly moves: number;
  readonly differences: readonly Difference[];
}

/**
 * Walks a recorded conversation through another version of its SOP. Every move is judged from where
 * the conversation really stood, so that one refusal does not drag the rest along.
 */
export function replayConversation(sop: Sop, records: readonly ConversationRecord[], navigation: Navigation): Replay {
  const conversation = startConversation('replay', 'replay', records[0]?.at ?? '');
  const differences: Difference[] = [];
  let moves = 0;
  for (const record of records) {
    const walk = currentWalk(conversation);
    const isMove = record.type === 'moved' || record.type === 'refused';
    if (isMove && walk?.agent === sop.agent) {
      moves++;
      const rules = sop.navigation ?? navigation;
      const decision = planMove({ sop, walk, facts: conversation.facts, navigation: rules }, record.to);
      const before = record.type === 'moved' ? 'allowed' : 'refused';
      const after = decision.allowed ? 'allowed' : 'refused';
      if (before !== after) {
        const reason = decision.allowed ? undefined : decision.error;
        differences.push({
          move: moves,
          from: record.from,
          to: record.to,
          before,
          after,
          ...(reason ? { reason } : {}),
        });
      }
    }
    applyEvent(conversation, record);
  }
  return { moves, differences };
}
