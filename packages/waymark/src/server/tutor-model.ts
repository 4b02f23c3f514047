import type { TurnModel } from '../agent/loop.ts';
import type { Generate } from '../sage/index.ts';

/**
 * The language model the tutor speaks with, loaded when it is first needed. Undefined where none is
 * chosen: the tutor then works from its packs.
 */
export function tutorModel(choice = process.env['WAYMARK_MODEL'], environment = process.env): Generate | undefined {
  if (choice === undefined || choice === '' || choice === 'offline') return undefined;
  let loaded: Promise<TurnModel> | undefined;
  const load = async () => (await import('../agent/index.ts')).loadModel(choice, environment);
  return async ({ system, prompt, schema, signal }) => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    const model = await loaded;
    const instructions = `${system}\n\nThe JSON Schema of your answer:\n${JSON.stringify(schema)}`;
    const step = {
      instructions,
      items: [{ kind: 'user' as const, text: prompt }],
      tools: [],
      signal,
      onText: undefined,
    };
    return (await model.answer(step)).text;
  };
}
