import type { Question } from './model.ts';
import type { KnownConcept } from './pack-library.ts';
import type { Check, PackConcept } from './pack-model.ts';
import type { TurnDraft } from './turn-draft.ts';

type CheckQuestion = Extract<Question, { kind: 'check' }>;

/** Asks what the learner knows before anything is explained. */
export function askProbe(draft: TurnDraft, { concept }: KnownConcept): void {
  const asked = draft.state.probed?.[concept.id] ?? 0;
  const index = asked % concept.probes.length;
  const probe = concept.probes[index];
  if (!probe) return;
  draft.discuss(concept);
  draft.leadTo('probing');
  draft.ask({ kind: 'probe', concept: concept.id, probe: index });
  draft.remember({ probed: { ...draft.state.probed, [concept.id]: asked + 1 } });
  draft.say(probe.ask);
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
  draft.leadTo('verification');
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

/** Puts the next check: first an explanation, then a use of it; the one at hand again after a new explanation. */
export function askCheck(draft: TurnDraft, known: KnownConcept, again?: CheckQuestion): void {
  const { concept } = known;
  const check = (again && concept.checks.find(({ id }) => id === again.check)) ?? nextCheck(draft, concept);
  if (!check) return;
  draft.discuss(concept);
  if (draft.mode !== 'verification') draft.leadTo('verification');
  const met = check.id === again?.check ? again.met : {};
  draft.ask({ kind: 'check', concept: concept.id, check: check.id, met, attempts: 0, proof: again?.proof });
  draft.say(check.ask);
}

function nextCheck(draft: TurnDraft, concept: PackConcept): Check | undefined {
  const passed = draft.passedOf(concept.id).map(({ check }) => check);
  const open = concept.checks.filter(({ id }) => !passed.includes(id));
  const hasExplained = draft.passedOf(concept.id).some(({ kind }) => kind === 'explain');
  const wanted = open.filter(({ kind }) => (kind === 'explain') !== hasExplained);
  const fits = wanted.filter(({ kind }) => kind !== 'connection' || hasProvenRelative(draft, concept));
  return fits[0] ?? wanted[0] ?? open[0] ?? concept.checks[0];
}

function hasProvenRelative(draft: TurnDraft, concept: PackConcept): boolean {
  return [...concept.prerequisites, ...concept.relates.map(({ to }) => to)].some(
    (name) => draft.statusOf(name) === 'understood',
  );
}

/** The question at hand once more; narrowed to what is still missing if wanted. */
export function repeatQuestion(draft: TurnDraft, how: 'whole' | 'narrow' = 'whole'): string | undefined {
  const { question } = draft.state;
  if (question?.kind !== 'probe' && question?.kind !== 'check') return undefined;
  const concept = draft.library.concept(question.concept)?.concept;
  if (question.kind === 'probe') return concept?.probes[question.probe]?.ask;
  const check = concept?.checks.find(({ id }) => id === question.check);
  if (how === 'whole') return check?.ask;
  return check?.criteria.find(({ id, required }) => required && question.met[id] === undefined)?.ask ?? check?.ask;
}
