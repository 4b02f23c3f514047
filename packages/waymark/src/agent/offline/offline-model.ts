import type { TurnModel } from '../loop.ts';
import type { Dialog } from '../model.ts';
import type { DateContext } from '../understanding/index.ts';
import { type Desk, type Outcome, type Plan, readOutcome } from './plan.ts';
import { afterDelete } from './plan-change.ts';
import { createPlannedModel } from './planned-model.ts';
import { planTurn } from './planner.ts';

export interface OfflineModel extends TurnModel {
  /** The conversation as the turn leaves it. */
  dialog(): Dialog;
  /** What was said before a call had to wait. */
  said(): string;
}

/**
 * Answers about tasks without a language model: fixed rules turn a message into a plan, and the
 * plan into tool calls. One instance answers one turn and remembers nothing beyond it.
 */
export function createOfflineModel(dialog: Dialog, dates: DateContext): OfflineModel {
  let desk: Desk = { dialog, said: [], dates, tools: new Set() };
  const model = createPlannedModel({
    name: 'offline',
    start(message, tools) {
      desk = { ...desk, tools };
      return planTurn(desk, message);
    },
    resume: afterYes,
    read: readOutcome,
  });
  return { ...model, dialog: () => desk.dialog, said: () => desk.said.join('\n\n') };
}

// A plan that has nothing left to ask for.
// eslint-disable-next-line require-yield
function* afterYes(outcomes: readonly Outcome[]): Plan<string> {
  return afterDelete(outcomes);
}
