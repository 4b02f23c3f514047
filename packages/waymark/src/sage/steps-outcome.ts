import { findGoal } from './goals.ts';
import { askProbe, teach } from './steps-asking.ts';
import type { TurnDraft } from './turn-draft.ts';

/** Goes on with the active outcome: the next piece that is not proven, or whether the whole is there. */
export function continueOutcome(draft: TurnDraft, skipping?: string): void {
  const open = draft.required.filter((name) => draft.statusOf(name) !== 'understood');
  const ready = open.filter((name) => !isBlocked(draft, name));
  const next = ready.find((name) => name !== skipping) ?? open.find((name) => name !== skipping) ?? open[0];
  const known = next === undefined ? undefined : draft.library.concept(next);
  if (next !== undefined && !known) return selfGuided(draft, next);
  if (!known) return askOutcomeCheck(draft);
  const isFirst = draft.input.session.turns === 0 || draft.state.focus === undefined;
  if (draft.mode === 'check_in' || draft.mode === 'followup' || draft.mode === 'outcome_check') draft.enter('probing');
  draft.leadTo('probing');
  draft.say(isFirst ? greeting(draft, known.concept.name) : leadIn(draft, known.concept.name, open.length));
  askProbe(draft, known);
}

function isBlocked(draft: TurnDraft, name: string): boolean {
  const prerequisites = draft.library.concept(name)?.concept.prerequisites ?? [];
  return prerequisites.some((other) => draft.required.includes(other) && draft.statusOf(other) !== 'understood');
}

function leadIn(draft: TurnDraft, name: string, left: number): string {
  const total = draft.required.length;
  const done = total - left;
  if (done > 0) return `That makes ${done} of ${total}. Next: ${name}.`;
  return `Next: ${name}.`;
}

function greeting(draft: TurnDraft, name: string): string | undefined {
  const { outcome, lastSessionAt, now } = draft.input;
  if (!outcome || !draft.isSilent) return `So: ${name}.`;
  const days = lastSessionAt ? Math.floor((now.getTime() - lastSessionAt.getTime()) / 86_400_000) : 0;
  const since = days > 14 ? `It has been ${days} days, so tell me if something has gone hazy. ` : '';
  const proven = draft.required.filter((required) => draft.statusOf(required) === 'understood').length;
  const where =
    proven > 0
      ? `${proven} of ${draft.required.length} pieces of “${outcome.goal}” are yours.`
      : `We are at “${outcome.goal}”.`;
  return `${since}${where} Today's piece: ${name}.`;
}

export function askOutcomeCheck(draft: TurnDraft): void {
  const { outcome } = draft.input;
  const criteria = outcome?.criteria ?? [];
  draft.leadTo('outcome_check');
  draft.ask({ kind: 'outcome' });
  const list = criteria.map((criterion) => `- you can ${criterion.replace(/\.$/, '')}`).join('\n');
  draft.say(
    `You have every piece of “${outcome?.goal ?? 'your goal'}”. It is done when:\n${list}`,
    'Could you do that tomorrow, with nobody helping? And where will you use it first?',
  );
}

export function answerOutcomeCheck(draft: TurnDraft, message: string): void {
  const { outcome } = draft.input;
  const doubts =
    draft.said.isNo || draft.said.isLost || /\b(?:not yet|unsure|not sure|nervous|except|but i)\b/i.test(message);
  if (!doubts && outcome) {
    draft.enter('outcome_check');
    draft.change({ kind: 'achieved' });
    draft.ask(undefined);
    draft.leadTo('outcome_discovery');
    return draft.say(
      `Then “${outcome.goal}” is yours. I will come back to the pieces now and then, so that they stay.`,
      'Is there something else you would like to be able to do?',
    );
  }
  const match = findGoal(draft.library, message);
  const known = match.kind === 'outcome' && match.concept ? draft.library.concept(match.concept.id) : undefined;
  draft.enter('probing');
  if (known) {
    draft.say(`Then let us look at ${known.concept.name} once more.`);
    draft.enter('teaching');
    return teach(draft, known, {});
  }
  draft.say(
    'Good that you say so. Which part would go wrong first? Name it, or rehearse the whole thing.',
    practiceAdvice(draft),
  );
  draft.leadTo('outcome_check');
  draft.ask({ kind: 'outcome' });
}

/** Where to rehearse, by name. */
export function practiceAdvice(draft: TurnDraft): string {
  const { outcome, adaptations } = draft.input;
  const pack = draft.library.pack(outcome?.packId ?? null);
  const wanted = draft.library.outcome(outcome?.packId ?? null, outcome?.packOutcomeId ?? null)?.practice;
  const scenario =
    pack?.scenarios.find(({ id }) => id === wanted) ?? pack?.scenarios[0] ?? draft.library.scenarios[0]?.scenario;
  if (!scenario)
    return 'There is no scene prepared for this. Describe one (a title and whom I should play) and start a practice with it.';
  const caution = adaptations.practiceEnabled
    ? ''
    : ' It wants more time and quiet than you have right now, so perhaps later.';
  return `For that there is “${scenario.title}” (${scenario.id}): I play: ${lowerFirst(scenario.sageRole)}.${caution}`;
}

/** A piece that no pack knows: the learner explains, and I can only ask. */
export function selfGuided(draft: TurnDraft, name: string): void {
  const displayName = draft.conceptOf(name)?.displayName ?? name.replaceAll('_', ' ');
  if (draft.mode !== 'teaching' && draft.mode !== 'verification') draft.enter('teaching');
  draft.discuss({ id: name });
  draft.change({ kind: 'concept', name, status: 'teaching' });
  draft.ask({ kind: 'self_explain', concept: name });
  draft.leadTo('verification');
  draft.say(`${displayName}: explain it to me as if I had never heard of it, with one example.`);
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
