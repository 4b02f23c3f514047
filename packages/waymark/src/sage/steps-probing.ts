import type { Question } from './model.ts';
import { findSaid, readAnswer } from './pattern.ts';
import { askCheck, teach } from './steps-asking.ts';
import type { TurnDraft } from './turn-draft.ts';

/** Hears what the learner knows: enough to be tested, or a gap to be filled. */
export function answerProbe(draft: TurnDraft, question: Extract<Question, { kind: 'probe' }>, message: string): void {
  const known = draft.library.concept(question.concept);
  const probe = known?.concept.probes[question.probe];
  if (!known || !probe) return;
  const { pack, concept } = known;
  draft.discuss(concept);
  const isBeside = message.trim() === '';
  if (isBeside) {
    draft.ask(question);
    return draft.say(`Back to it: ${probe.ask}`);
  }
  const knows = !draft.said.isLost && findSaid(probe.knows, readAnswer(message, pack.synonyms), pack.synonyms);
  if (knows) {
    draft.enter('verification');
    const fast = draft.input.adaptations.pace === 'fast';
    draft.say(
      fast
        ? 'You are not starting from nothing here.'
        : `That sounds as if you have met ${concept.name} before. Let me see how far it carries.`,
    );
    return askCheck(draft, known);
  }
  draft.findGap(concept.id, concept.name);
  draft.enter('teaching');
  if (draft.said.isLost)
    draft.say(draft.pick(['Good to know; that is where we start.', 'Fair enough, that is what we are here for.']));
  else draft.say(`There is a gap here, and it has a name: ${concept.name}.`);
  teach(draft, known, {});
}
