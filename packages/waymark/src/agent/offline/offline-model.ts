import type { ModelAnswer, ModelStep, TurnModel } from '../loop.ts';
import type { Dialog } from '../model.ts';
import type { DateContext } from '../understanding/index.ts';
import { type Desk, type Plan, readOutcome } from './plan.ts';
import { afterDelete } from './plan-change.ts';
import { planTurn } from './planner.ts';

export interface OfflineModel extends TurnModel {
  /** The conversation as the turn leaves it. */
  dialog(): Dialog;
  /** What was said before a call had to wait. */
  said(): string;
}

/**
 * Answers without a language model: fixed rules turn a message into a plan, and the plan into tool
 * calls. One instance answers one turn and remembers nothing beyond it.
 */
export function createOfflineModel(dialog: Dialog, dates: DateContext): OfflineModel {
  const desk: { dialog: Dialog; said: string[] } = { dialog, said: [] };
  let plan: Plan<string> | undefined;
  let counter = 0;

  function start(message: string, tools: ModelStep['tools']): Plan<string> {
    const whole: Desk = Object.assign(desk, { dates, tools: new Set(tools.map(({ name }) => name)) });
    return planTurn(whole, message);
  }

  return {
    name: 'offline',
    dialog: () => desk.dialog,
    said: () => desk.said.join('\n\n'),
    async answer({ items, tools, onText }): Promise<ModelAnswer> {
      const served = new Set(tools.map(({ name }) => name));
      const lastMessage = items.findLastIndex((item) => item.kind === 'user');
      const outcomes = resultsAtEnd(items).map(({ output }) => readOutcome(output));
      if (!plan && outcomes.length > 0) return reply(afterDelete(outcomes), onText);
      const message = items[lastMessage];
      const isFirst = plan === undefined;
      plan ??= start(message?.kind === 'user' ? message.text : '', tools);
      let step = isFirst ? plan.next() : plan.next(outcomes);
      // What this server does not serve, or not to this person, is answered without being asked for.
      while (!step.done && step.value.some((call) => !served.has(call.tool))) {
        step = plan.next(step.value.map(() => ({ ok: false, data: {}, code: 'NOT_AVAILABLE' })));
      }
      if (step.done) return reply(step.value, onText);
      return {
        text: '',
        calls: step.value.map((call) => ({
          id: `call_${lastMessage}_${++counter}`,
          name: call.tool,
          arguments: call.arguments,
        })),
      };
    },
  };
}

function resultsAtEnd(items: ModelStep['items']) {
  const results = [];
  for (const item of items.toReversed()) {
    if (item.kind !== 'result') break;
    results.unshift(item);
  }
  return results;
}

function reply(text: string, onText: ModelStep['onText']): ModelAnswer {
  if (onText) for (const word of text.split(/(?<=\s)/)) onText(word);
  return { text, calls: [] };
}
