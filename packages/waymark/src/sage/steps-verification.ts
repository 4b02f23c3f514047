import { assess, type Assessment } from './assess.ts';
import type { PassedCheck, Question } from './model.ts';
import type { KnownConcept } from './pack-library.ts';
import type { Check, Criterion, PackConcept } from './pack-model.ts';
import { continueOutcome } from './steps-outcome.ts';
import { askCheck, teach } from './steps-asking.ts';
import { proofFrom } from './proof.ts';
import type { TurnDraft } from './turn-draft.ts';

type CheckQuestion = Extract<Question, { kind: 'check' }>;

/** What has been shown to the learner about a concept: saying it back proves nothing. */
function shownFor(concept: PackConcept, check: Check): string[] {
  return [
    concept.summary,
    check.ask,
    ...concept.teach.flatMap(({ light, standard, deep }) => [light, standard, deep]),
    ...check.criteria.map(({ ask }) => ask),
    ...check.misconceptions.map(({ correction }) => correction),
  ];
}

/** Judges an answer. True when this question is settled, one way or the other. */
export function answerCheck(draft: TurnDraft, question: CheckQuestion, message: string): boolean {
  const known = draft.library.concept(question.concept);
  const check = known?.concept.checks.find(({ id }) => id === question.check);
  if (!known || !check) {
    continueOutcome(draft);
    return true;
  }
  const { pack, concept } = known;
  draft.discuss(concept);
  if (message.trim() === '') {
    draft.ask(question);
    draft.say(`And the question still stands: ${check.ask}`);
    return false;
  }
  if (draft.said.isLost) return giveUp(draft, known, question);
  const isFollowup = question.attempts > 0;
  const judged = { ...check, minWords: isFollowup ? Math.min(4, check.minWords) : check.minWords };
  const found = assess(judged, message, shownFor(concept, check), pack.synonyms);
  const met = { ...question.met };
  if (found.level !== 'unjudged') for (const { criterion, quote } of found.met) met[criterion.id] ??= quote;
  const missing = check.criteria.filter(({ id, required }) => required && met[id] === undefined);
  const next: CheckQuestion = { ...question, met, attempts: question.attempts + 1 };

  if (found.parroted) return pointOutParroting(draft, next);
  if (found.level === 'unjudged') return askForMore(draft, next, found, check);
  if (found.misconceptions.length > 0) return correct(draft, known, next, found);
  if (missing.length === 0) return pass(draft, known, check, next);
  return narrow(
    draft,
    known,
    next,
    { ...found, met: found.met.filter(({ criterion }) => question.met[criterion.id] === undefined) },
    missing,
  );
}

function pointOutParroting(draft: TurnDraft, question: CheckQuestion): false {
  draft.ask({ ...question, attempts: question.attempts - 1 });
  draft.notice('repeated the explanation');
  draft.say(
    'Those are my words, nearly one for one. I would like yours: explain it to a friend who was not here, with an example of your own.',
  );
  return false;
}

function askForMore(draft: TurnDraft, question: CheckQuestion, { reason }: Assessment, check: Check): false {
  draft.ask({ ...question, attempts: question.attempts - 1 });
  if (reason === 'other_language')
    draft.say('I can only judge answers in English, sorry. Could you say it in English?');
  else if (reason === 'word_list')
    draft.say(
      'Those are the right sort of words, but they are a list. Put them into a sentence that says how they hang together.',
    );
  else
    draft.say(
      draft.pick([
        'That is a little short for me to judge. Give me a full sentence or two.',
        'I need a bit more than that to hear how you think. Two sentences?',
      ]),
      check.ask,
    );
  return false;
}

function correct(draft: TurnDraft, known: KnownConcept, question: CheckQuestion, found: Assessment): boolean {
  const [first] = found.misconceptions;
  draft.notice(`misconception: ${first?.misconception.id}`);
  if (first) draft.say(`One thing first, about “${first.quote}”. ${first.misconception.correction}`);
  if (question.attempts >= maxAttempts) return giveUp(draft, known, question);
  draft.ask(question);
  const ask = known.concept.checks.find(({ id }) => id === question.check)?.ask ?? '';
  draft.say(draft.pick(['With that in mind, once more:', 'Try it again from there:']).concat(' ', ask));
  return false;
}

const maxAttempts = 3;

function narrow(
  draft: TurnDraft,
  known: KnownConcept,
  question: CheckQuestion,
  found: Assessment,
  missing: readonly Criterion[],
): boolean {
  const [first] = missing;
  const [got] = found.met;
  if (question.attempts >= maxAttempts || (found.level === 'not_there' && question.attempts >= 2) || !first) {
    return giveUp(draft, known, question);
  }
  draft.ask(question);
  if (got)
    draft.say(
      `“${got.quote}”: yes, there you ${got.criterion.label}. ${draft.pick(['One thing is still open.', 'Now the other half.'])}`,
    );
  else draft.say(draft.pick(['Not yet, as far as I can tell.', 'I do not hear it in there yet.']));
  draft.say(first.ask);
  return false;
}

/** Teaches it another way, or, in a review, opens the concept again. */
function giveUp(draft: TurnDraft, known: KnownConcept, question: CheckQuestion): boolean {
  if (question.proof !== undefined) {
    draft.change(
      { kind: 'review', proof: question.proof, rating: 'again' },
      { kind: 'concept', name: question.concept, status: 'teaching', passed: [] },
    );
    draft.remember({ reviewed: [...(draft.state.reviewed ?? []), question.proof], question: undefined });
    draft.findGap(known.concept.id, known.concept.name);
    draft.say(`${known.concept.name} has faded; that happens. Let us freshen it up.`);
    draft.enter('teaching');
    teach(draft, known, {});
    return false;
  }
  draft.findGap(known.concept.id, known.concept.name);
  if ((draft.state.taught?.[question.concept] ?? 0) >= known.concept.teach.length) {
    draft.say(`I have no third way to explain ${known.concept.name} today. Sleep on it; it stays on your list.`);
    continueOutcome(draft, known.concept.id);
    return true;
  }
  if (draft.said.isLost) draft.say(draft.pick(['No harm done.', 'Then I explained it badly.']));
  draft.enter('teaching');
  teach(draft, known, {});
  return false;
}

function pass(draft: TurnDraft, known: KnownConcept, check: Check, question: CheckQuestion): boolean {
  const { concept } = known;
  const quotes = check.criteria.flatMap(({ id, label }) => {
    const quote = question.met[id];
    return quote === undefined ? [] : [{ criterion: label, quote }];
  });
  const extra = check.criteria.filter(({ id, required }) => !required && question.met[id] !== undefined).length;
  const passed: PassedCheck = {
    check: check.id,
    kind: check.kind,
    prompt: check.ask,
    quotes,
    extra,
    attempts: question.attempts,
  };
  const best = quotes.at(-1)?.quote ?? '';
  if (question.proof !== undefined) {
    const rating = question.attempts > 1 ? 'hard' : 'good';
    draft.change({ kind: 'review', proof: question.proof, rating });
    draft.remember({ reviewed: [...(draft.state.reviewed ?? []), question.proof], question: undefined });
    draft.say(`“${best}”: still there. ${concept.name} can rest for a while.`);
    return true;
  }
  const all = [...draft.passedOf(concept.id).filter(({ check: id }) => id !== check.id), passed];
  draft.change({ kind: 'concept', name: concept.id, passed: all });
  const proof = proofFrom(concept, all);
  if (!proof) {
    draft.say(
      `“${best}”: that is it, and in your own words. ${draft.pick(['Now use it.', 'One more, from another side.'])}`,
    );
    askCheck(draft, known);
    return false;
  }
  draft.earn(proof);
  draft.ask(undefined);
  draft.say(`${concept.name}: proven. You explained it and you used it, and “${best}” is yours, not mine.`);
  continueOutcome(draft);
  return true;
}
