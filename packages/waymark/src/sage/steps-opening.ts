import { dueInWords } from '../dates/index.ts';
import { occasionOf } from './applications.ts';
import type { Question } from './model.ts';
import { asNewConcept, type TurnDraft } from './turn-draft.ts';

/** Asks how something went that the learner had planned. False when there is nothing to ask. */
export function askFollowup(draft: TurnDraft): boolean {
  const [application] = draft.input.pending;
  if (!application) return false;
  draft.enter('followup');
  draft.ask({ kind: 'followup', application: application.id });
  const { now, zone } = draft.input;
  const when = application.plannedDate ? ` on ${dueInWords(application.plannedDate, now, zone)}` : '';
  draft.say(
    `First: ${occasionOf(application.context)}${when}. How did it go? What worked, and where did you struggle?`,
  );
  return true;
}

const wentBadly =
  /\b(?:bad(?:ly)?|terribl|awful|struggl|fail|froze|stuck|lost|caved|gave in|nervous|difficult|hard|poorly|not (?:good|well|great)|didn'?t (?:work|go))/i;
const wentWell = /\b(?:well|great|good|fine|success|worked|won|closed|yes|agreed|happy|better|amazing)\b/i;
const didNotHappen =
  /\b(?:cancel|postpone|reschedul|didn'?t happen|did not happen|moved|called off|no[- ]show|hasn'?t happened|not yet)/i;

export function answerFollowup(
  draft: TurnDraft,
  question: Extract<Question, { kind: 'followup' }>,
  message: string,
): void {
  const skipped = didNotHappen.test(message);
  const bad = wentBadly.test(message);
  const good = wentWell.test(message.replace(/\bnot (?:well|good|great|fine)\b|\bdidn'?t work\b/gi, ''));
  const result = skipped ? null : bad && good ? 'mixed' : bad ? 'struggled' : good ? 'went_well' : 'mixed';
  draft.change({ kind: 'followup', application: question.application, result, notes: message.slice(0, 2000) });
  draft.ask(undefined);
  if (skipped) return draft.say('Then it is still ahead of you, and we can use the time.');
  const gaps = gapsIn(draft, message);
  for (const gap of gaps) {
    draft.findGap(gap.concept.id, gap.concept.name);
    draft.discuss(gap.concept);
    draft.change(
      { kind: 'require', concept: asNewConcept(gap.pack.id, gap.concept) },
      { kind: 'concept', name: gap.concept.id, status: 'teaching', passed: [] },
    );
  }
  if (result === 'went_well') draft.say('Good. That is the only test that counts.');
  else if (gaps[0])
    draft.say(`Real life found the weak spot: ${gaps.map(({ concept }) => concept.name).join(', ')}. We take that up.`);
  else draft.say('Thanks for the honest report. Let us see what would have helped.');
}

/** Concepts of the active pack that the learner names in a sentence about trouble. */
function gapsIn(draft: TurnDraft, message: string) {
  const pack = draft.library.pack(draft.input.outcome?.packId ?? null);
  if (!pack) return [];
  const trouble = message
    .split(/[.!?\n]+|\bbut\b/i)
    .filter((sentence) => wentBadly.test(sentence))
    .join(' ')
    .toLowerCase();
  const heard = (name: string) =>
    name
      .toLowerCase()
      .split(/\W+/)
      .filter((word) => word.length > 4)
      .some((word) => trouble.includes(word.slice(0, Math.max(5, word.length - 3))));
  return pack.concepts
    .filter(({ name }) => heard(name))
    .slice(0, 2)
    .map((concept) => ({ pack, concept }));
}

const reviewsPerSession = 2;

/** A proof whose time has come is asked again, by another check if there is one. False when nothing is due. */
export function askReview(draft: TurnDraft): boolean {
  const done = draft.state.reviewed ?? [];
  const most = draft.depth === 'light' ? 1 : reviewsPerSession;
  if (done.length >= most) return false;
  for (const { proof, concept } of draft.input.due) {
    const known = draft.library.concept(concept.name);
    if (!known || done.includes(proof.id)) continue;
    const last = proof.evidence.at(-1)?.check;
    const check =
      known.concept.checks.find(({ id, kind }) => kind !== 'explain' && id !== last) ?? known.concept.checks[0];
    if (!check) continue;
    if (draft.mode !== 'probing') draft.enter('probing');
    draft.leadTo('verification');
    draft.discuss(known.concept);
    draft.ask({ kind: 'check', concept: concept.name, check: check.id, met: {}, attempts: 0, proof: proof.id });
    const days = Math.max(1, Math.round((draft.input.now.getTime() - proof.earnedAt.getTime()) / 86_400_000));
    draft.say(
      `You proved ${concept.displayName} ${days === 1 ? 'a day' : `${days} days`} ago. Is it still there?`,
      check.ask,
    );
    return true;
  }
  return false;
}
