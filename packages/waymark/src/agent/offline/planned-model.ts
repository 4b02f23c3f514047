import type { ModelAnswer, ModelStep, TurnModel } from '../loop.ts';
import type { Outcome, Plan } from './plan.ts';

export interface PlannedModelOptions {
  readonly name: string;
  /** What to do about a message, given the tools that are served. */
  readonly start: (message: string, tools: ReadonlySet<string>) => Plan<string>;
  /** How to go on once calls that had to wait have run. */
  readonly resume: (outcomes: readonly Outcome[]) => Plan<string>;
  readonly read: (output: string) => Outcome;
}

/** A model that follows a plan: each step of the plan is one answer, each answer the calls it asks for. */
export function createPlannedModel(options: PlannedModelOptions): TurnModel {
  let plan: Plan<string> | undefined;
  let counter = 0;
  return {
    name: options.name,
    async answer({ items, tools, onText }): Promise<ModelAnswer> {
      const served = new Set(tools.map(({ name }) => name));
      const lastMessage = items.findLastIndex((item) => item.kind === 'user');
      const message = items[lastMessage];
      const outcomes = resultsAtEnd(items).map(({ output }) => options.read(output));
      const isFirst = plan === undefined;
      plan ??=
        outcomes.length > 0
          ? options.resume(outcomes)
          : options.start(message?.kind === 'user' ? message.text : '', served);
      let step = isFirst ? plan.next() : plan.next(outcomes);
      // What is not served, or not to this person, is answered without being asked for.
      while (!step.done && step.value.some((call) => !served.has(call.tool))) {
        step = plan.next(step.value.map(() => ({ ok: false, data: {}, code: 'NOT_AVAILABLE' })));
      }
      if (step.done) return reply(step.value, onText);
      return {
        text: '',
        calls: step.value.map((call) => ({
          id: `call_${items.length}_${++counter}`,
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
