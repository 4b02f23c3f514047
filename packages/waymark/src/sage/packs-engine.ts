import { dueInWords } from '../dates/index.ts';
import { findApplication, occasionOf } from './applications.ts';
import type { TurnInput, TurnPlan, TutorEngine } from './engine.ts';
import { answerOutcomeCheck, continueOutcome, practiceAdvice } from './steps-outcome.ts';
import { answerChoice, answerPieces, answerSelfExplanation, discover, startOver } from './steps-goal.ts';
import { answerFollowup, askFollowup, askReview } from './steps-opening.ts';
import { askCheck, repeatQuestion, teach } from './steps-asking.ts';
import { answerProbe } from './steps-probing.ts';
import { answerCheck } from './steps-verification.ts';
import { findConcept } from './goals.ts';
import type { KnownConcept, PackLibrary } from './pack-library.ts';
import { TurnDraft } from './turn-draft.ts';

/** Teaches from packs, without a language model. The same message in the same situation gets the same answer. */
export function createPacksEngine(library: PackLibrary): TutorEngine {
  return { turn: (input) => Promise.resolve(turn(input, library)) };
}

function turn(input: TurnInput, library: PackLibrary): TurnPlan {
  const draft = new TurnDraft(input, library);
  const rest = hearApplication(draft, input.message);
  noticeTime(draft);
  if (!answerAside(draft)) answer(draft, rest);
  return draft.finish();
}

function answer(draft: TurnDraft, message: string): void {
  const { question } = draft.state;
  if (draft.mode === 'check_in') return open(draft, message);
  if (draft.said.namesGoal && startOver(draft, message)) return;
  switch (question?.kind) {
    case 'followup':
      answerFollowup(draft, question, message);
      return afterOpening(draft);
    case 'choose':
      return answerChoice(draft, message);
    case 'self_pieces':
      return answerPieces(draft, message);
    case 'self_explain':
      return answerSelfExplanation(draft, question, message);
    case 'probe':
      return answerProbe(draft, question, message);
    case 'check': {
      const review = question.proof !== undefined;
      const done = answerCheck(draft, question, message);
      if (review && done) afterOpening(draft);
      return;
    }
    case 'outcome':
      return answerOutcomeCheck(draft, message);
    default:
      return draft.input.outcome ? continueOutcome(draft) : discover(draft, message);
  }
}

/** The first message of a session: what is owed from last time comes first, then the learner's wish. */
function open(draft: TurnDraft, message: string): void {
  draft.remember({ held: message });
  if (askFollowup(draft) || askReview(draft)) return;
  goOn(draft, message);
}

function afterOpening(draft: TurnDraft): void {
  if (askReview(draft)) return;
  goOn(draft, draft.state.held ?? '');
}

function goOn(draft: TurnDraft, held: string): void {
  draft.remember({ held: undefined, question: undefined });
  const { outcome, session, checkin } = draft.input;
  if (!outcome) return discover(draft, held, [session.goal ?? undefined, checkin.intention]);
  const wish = [session.goal, checkin.intention, held].filter(Boolean).join('. ');
  if (wish && startOver(draft, wish)) return;
  continueOutcome(draft);
}

/** Remembers what the learner is going to do with this; the rest of the message is an answer as usual. */
function hearApplication(draft: TurnDraft, message: string): string {
  const found = findApplication(message, draft.input.now, draft.input.zone);
  if (!found) return message;
  draft.change({ kind: 'application', context: found.context, plannedDate: found.plannedDate });
  const day = dueInWords(found.plannedDate, draft.input.now, draft.input.zone);
  draft.say(`${capital(occasionOf(found.context))} on ${day}: noted. I will ask you afterwards how it went.`);
  draft.notice(`plans to apply it on ${found.plannedDate}`);
  return found.rest;
}

function noticeTime(draft: TurnDraft): void {
  const { session, checkin, now } = draft.input;
  if (checkin.timeAvailable === undefined || draft.state.timeTold) return;
  if (now.getTime() - session.startedAt.getTime() < checkin.timeAvailable * 60_000) return;
  draft.remember({ timeTold: true });
  draft.say(`Your ${checkin.timeAvailable} minutes are over, by the way. Say stop whenever you like; nothing is lost.`);
}

/** What is not an answer to the question at hand. True when it has been dealt with. */
function answerAside(draft: TurnDraft): boolean {
  const { said, state, input } = draft;
  const { question } = state;
  if (said.words === 0) {
    const what = /\S/.test(input.message) ? 'I can only read words.' : 'That came through empty.';
    draft.say(what, repeatQuestion(draft) ?? 'Tell me in a sentence what you would like to be able to do.');
    return true;
  }
  if (said.wantsToStop) {
    draft.say('Then let us stop here. Everything so far is kept. End the session for a summary and your next steps.');
    return true;
  }
  if (said.wantsPractice) {
    draft.say(practiceAdvice(draft), question && 'And when you are back, this question waits for you.');
    return true;
  }
  if (said.isTired && input.adaptations.depth !== 'light') {
    draft.remember({ depth: 'light' });
    draft.notice('energy dropped during the session');
    draft.say('Understood, smaller pieces from here on. Stopping for today is fine too.', repeatQuestion(draft));
    return true;
  }
  const concept = question && 'concept' in question ? draft.library.concept(question.concept) : undefined;
  if (!concept || !question || question.kind === 'self_explain') return false;
  if (said.asks && answerQuestion(draft, concept)) return true;
  if (said.wantsMore || said.wantsLess) {
    draft.remember({ depth: said.wantsMore ? 'deep' : 'light' });
    teach(draft, concept, { again: true });
    return true;
  }
  if (said.wantsAnswer && question.kind === 'check') {
    draft.say(
      'If I tell you, you will have heard it, and that is not the same as having it.',
      repeatQuestion(draft, 'narrow'),
    );
    return true;
  }
  if (said.wantsToSkip) {
    draft.say(`Fine, we leave ${concept.concept.name} for now. It stays on your list.`);
    continueOutcome(draft, concept.concept.id);
    return true;
  }
  if (said.claimsToKnow && question.kind === 'probe') {
    draft.enter('verification');
    draft.say(draft.pick(['Good, then show me.', 'Then let us not waste your time.']));
    askCheck(draft, concept);
    return true;
  }
  if (said.wantsOtherWay) {
    teach(draft, concept, {});
    return true;
  }
  return false;
}

/** A question of the learner's own: about this piece it is a wish to hear it again, about another it is put off. */
function answerQuestion(draft: TurnDraft, current: KnownConcept): boolean {
  const about = findConcept(draft.library, draft.input.message);
  if (!about) return false;
  if (about.id === current.concept.id) {
    teach(draft, current, {});
    return true;
  }
  const later = draft.required.includes(about.id) ? 'We come to it.' : 'It belongs to another goal.';
  draft.discuss(about);
  draft.say(
    `${about.name}, in one sentence: ${about.summary} ${later}`,
    `First this one: ${repeatQuestion(draft) ?? ''}`,
  );
  return true;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
