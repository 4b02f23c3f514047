import { z } from 'zod';
import { ToolError } from '../kit/index.ts';
import type { Logger } from '../kit/index.ts';
import { withoutCopies } from './assess.ts';
import type { TurnInput, TurnPlan, TutorEngine } from './engine.ts';
import { findGoal } from './goals.ts';
import { guardTurn } from './llm-guard.ts';
import { describeSituation, systemPrompt } from './llm-prompt.ts';
import { type LlmTurn, llmTurnSchema, readLlmTurn } from './llm-turn.ts';
import type { PackLibrary } from './pack-library.ts';
import type { Generate } from './services.ts';
import { wordsOf } from './words.ts';

const { $schema: _omitted, ...turnSchema } = z.toJSONSchema(llmTurnSchema, { io: 'input', unrepresentable: 'any' });

const tries = 2;

/**
 * A tutor that a language model speaks for. It proposes; what it may not decide is dropped by the
 * guard. Where it fails, packs take over if one covers the goal, and nothing is made up otherwise.
 */
export function createLlmEngine(
  generate: Generate,
  library: PackLibrary,
  packs: TutorEngine,
  log?: Logger,
): TutorEngine {
  return {
    async turn(input, signal) {
      const parroted = input.session.mode === 'verification' ? answerParrot(input) : undefined;
      if (parroted) return parroted;
      const proposal = await propose(generate, input, library, signal, log);
      if (proposal) return guardTurn(proposal, input, library);
      if (signal.aborted) throw new ToolError('CANCELLED', 'The call was cancelled');
      if (!isCovered(input, library)) {
        throw new ToolError(
          'ENGINE_UNAVAILABLE',
          'The language model does not answer, and no pack covers this. Nothing was lost; send the message again.',
          {
            sessionId: input.session.id,
          },
        );
      }
      const plan = await packs.turn(input, signal);
      return { ...plan, insights: [...plan.insights, 'answered from a pack: the language model was unavailable'] };
    },
  };
}

async function propose(
  generate: Generate,
  input: TurnInput,
  library: PackLibrary,
  signal: AbortSignal,
  log: Logger | undefined,
): Promise<LlmTurn | undefined> {
  const prompt = describeSituation(input, library);
  for (let attempt = 0; attempt < tries && !signal.aborted; attempt += 1) {
    try {
      const turn = readLlmTurn(await generate({ system: systemPrompt, prompt, schema: turnSchema, signal }));
      if (turn) return turn;
      log?.warn('the language model did not answer in the form asked for', { attempt });
    } catch (error) {
      log?.warn('the language model failed', { attempt, error });
    }
  }
  return undefined;
}

function isCovered({ outcome, message, session, checkin }: TurnInput, library: PackLibrary): boolean {
  if (outcome) return library.pack(outcome.packId) !== undefined;
  return [message, session.goal, checkin.intention].some((text) => text && findGoal(library, text).kind !== 'none');
}

const fewOwnWords = 6;

/** Somebody who repeats what they were told is not even shown to the model: it might be pleased. */
function answerParrot(input: TurnInput): TurnPlan | undefined {
  const words = wordsOf(input.message);
  const own = withoutCopies(
    input.message,
    words,
    input.history.map(({ reply }) => reply),
  );
  if (words.length < fewOwnWords || wordsOf(own).length >= fewOwnWords) return undefined;
  return {
    message:
      'Those are my words, nearly one for one. I would like yours: say it as you would to a friend, with an example of your own.',
    mode: 'verification',
    transitionTo: null,
    conceptsDiscussed: input.session.state.focus ? [input.session.state.focus] : [],
    gap: null,
    proof: null,
    effects: [],
    state: input.session.state,
    insights: ['repeated the explanation'],
    engine: 'llm',
  };
}
