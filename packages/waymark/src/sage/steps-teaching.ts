import type { Question } from './model.ts';
import type { KnownConcept } from './pack-library.ts';
import { findSaid, readAnswer } from './pattern.ts';
import { askCheck } from './steps-verification.ts';
import type { TurnDraft } from './turn-draft.ts';

/** Asks what the learner knows before anything is explained. */
export function askProbe(draft: TurnDraft, { concept }: KnownConcept): void {
  const asked = draft.state.probed?.[concept.id] ?? 0;
  const index = asked % concept.probes.length;
  const probe = concept.probes[index];
  if (!probe) return;
  draft.discuss(concept);
  draft.then('probing');
  draft.ask({ kind: 'probe', concept: concept.id, probe: index });
  draft.remember({ probed: { ...draft.state.probed, [concept.id]: asked + 1 } });
  draft.say(probe.ask);
}

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

/** Explains, each time in another way, and ends with a question that the learner must answer in their own words. */
export function teach(draft: TurnDraft, known: KnownConcept, options: { readonly again?: boolean }): void {
  const { concept } = known;
  const { question } = draft.state;
  const times = draft.state.taught?.[concept.id] ?? 0;
  const turnOf = options.again ? Math.max(0, times - 1) : times;
  const teaching = concept.teach[turnOf % concept.teach.length];
  if (!teaching) return;
  if (draft.mode !== 'teaching') draft.enter('teaching');
  draft.discuss(concept);
  if (draft.statusOf(concept.id) !== 'teaching')
    draft.change({ kind: 'concept', name: concept.id, status: 'teaching' });
  draft.remember({ taught: { ...draft.state.taught, [concept.id]: options.again ? Math.max(1, times) : times + 1 } });
  if (times > 0 && !options.again) draft.say(`Another way in, ${wayIn(teaching.approach)}.`);
  if (draft.input.adaptations.pace === 'patient' && times === 0) draft.say('One thing only, and there is no hurry.');
  draft.say(teaching[draft.depth]);
  draft.then('verification');
  askCheck(draft, known, question?.kind === 'check' && question.concept === concept.id ? question : undefined);
}

const waysIn: Readonly<Record<string, string>> = {
  example: 'by an example',
  analogy: 'by a comparison',
  contrast: 'by a contrast',
  steps: 'step by step',
  story: 'with a story',
};

function wayIn(approach: string): string {
  return waysIn[approach] ?? `by way of ${approach.replaceAll('_', ' ')}`;
}
