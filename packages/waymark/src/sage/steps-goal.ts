import { findGoal, type GoalMatch, plainGoal, subjectStems } from './goals.ts';
import type { Question } from './model.ts';
import { continueOutcome, selfGuided } from './steps-outcome.ts';
import { askProbe } from './steps-asking.ts';
import { asNewConcept, type TurnDraft } from './turn-draft.ts';

type Chosen = Extract<GoalMatch, { kind: 'outcome' }>;

/** Finds what the learner wants to be able to do: in the message, or in what they said before it. */
export function discover(draft: TurnDraft, message: string, earlier: readonly (string | undefined)[] = []): void {
  if (acceptsSelfGuided(draft, message)) return;
  for (const text of [message, ...earlier]) {
    const match = text ? findGoal(draft.library, text) : { kind: 'none' as const };
    if (match.kind === 'outcome') return frame(draft, match);
    if (match.kind === 'several') return offer(draft, match.options, 'That could mean several things. Which is it?');
  }
  const wish = [message, ...earlier].find((text) => text && subjectStems(text).length > 0 && !isSmallTalk(draft, text));
  if (draft.mode !== 'outcome_discovery') draft.enter('outcome_discovery');
  const all = draft.library.packs.flatMap((pack) => pack.outcomes.map((outcome) => ({ pack, outcome })));
  if (wish === undefined) {
    return offer(draft, all, 'What would you like to be able to do that you cannot do well now? I can teach:');
  }
  const goal = plainGoal(wish) || wish.trim().slice(0, 200);
  draft.remember({ unknownGoal: goal });
  draft.notice('asked for a topic that no pack covers');
  offer(
    draft,
    all,
    `I know nothing about “${goal}” that I could honestly teach or judge, and I would rather say so than make something up. What I can teach:`,
    'Or say “self-guided”: you bring the material and explain it, and I only ask questions. No proofs that way, since I cannot judge them.',
  );
}

function isSmallTalk(draft: TurnDraft, text: string): boolean {
  return text === draft.input.message && (draft.said.isGreeting || draft.said.words < 2);
}

function offer(
  draft: TurnDraft,
  options: readonly {
    readonly pack: { readonly id: string };
    readonly outcome: { readonly id: string; readonly goal: string };
  }[],
  before: string,
  after?: string,
): void {
  if (draft.mode !== 'outcome_discovery') draft.enter('outcome_discovery');
  draft.remember({ offered: options.map(({ pack, outcome }) => ({ pack: pack.id, outcome: outcome.id })) });
  draft.ask({ kind: 'choose' });
  draft.say(`${before}\n${options.map(({ outcome }, index) => `${index + 1}. ${outcome.goal}`).join('\n')}`, after);
}

export function answerChoice(draft: TurnDraft, message: string): void {
  const number = /^\W*(?:(?:number|option|no\.?|the)\s+)?(\d{1,2}|first|second|third|fourth)\b/i
    .exec(message)?.[1]
    ?.toLowerCase();
  const index = number === undefined ? -1 : (words[number] ?? Number(number)) - 1;
  const offered = draft.state.offered?.[index];
  const pack = offered && draft.library.pack(offered.pack);
  const outcome = pack?.outcomes.find(({ id }) => id === offered?.outcome);
  if (pack && outcome) return frame(draft, { kind: 'outcome', pack, outcome });
  if (settleForFirst(draft, message)) return;
  discover(draft, message);
}

/** Somebody who was offered a few readings of their wish and goes on talking gets the likeliest. */
function settleForFirst(draft: TurnDraft, message: string): boolean {
  const { offered = [], unknownGoal } = draft.state;
  const [first] = offered;
  const pack = first && draft.library.pack(first.pack);
  const outcome = pack?.outcomes.find(({ id }) => id === first?.outcome);
  if (!pack || !outcome || draft.said.namesGoal || findGoal(draft.library, message).kind === 'outcome') return false;
  const leavesItToUs =
    /\b(?:you (?:choose|decide|pick)|any(?: of (?:them|those))?|whatever|either|don'?t (?:care|mind))\b/i.test(message);
  const wasNarrow = unknownGoal === undefined && offered.length <= 4;
  if (!leavesItToUs && !(wasNarrow && !draft.said.isNo)) {
    if (!draft.said.isLost) return false;
    draft.ask({ kind: 'choose' });
    draft.say('Give me the number of one of these, or tell me in a few words what you would like to be able to do.');
    return true;
  }
  draft.say(`I take the first, then; stop me if you meant another.`);
  frame(draft, { kind: 'outcome', pack, outcome });
  return true;
}

const words: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4 };

/** Another goal than the active one. False when the message names none that we know. */
export function startOver(draft: TurnDraft, message: string): boolean {
  const match = findGoal(draft.library, message);
  const { outcome } = draft.input;
  if (match.kind !== 'outcome') {
    if (outcome || !draft.said.namesGoal) {
      if (!(outcome && draft.said.namesGoal && match.kind === 'none' && subjectStems(message).length > 0)) return false;
    }
    discover(draft, message);
    return true;
  }
  if (outcome?.packId === match.pack.id && outcome.packOutcomeId === match.outcome.id) {
    if (!match.concept || draft.mode !== 'check_in') return false;
    const known = draft.library.concept(match.concept.id);
    if (!known || draft.statusOf(match.concept.id) === 'understood') return false;
    draft.enter('probing');
    draft.say(`${match.concept.name}, then.`);
    askProbe(draft, known);
    return true;
  }
  frame(draft, match);
  return true;
}

/** Names the pieces and asks about the first that is not proven yet. */
function frame(draft: TurnDraft, { pack, outcome, concept }: Chosen): void {
  const requires = outcome.requires.flatMap((id) => pack.concepts.filter((candidate) => candidate.id === id));
  draft.enter('framing');
  draft.remember({ unknownGoal: undefined, offered: undefined, focus: undefined, question: undefined });
  draft.change({
    kind: 'outcome',
    goal: outcome.goal,
    packId: pack.id,
    packOutcomeId: outcome.id,
    criteria: outcome.criteria,
    requires: requires.map((required) => asNewConcept(pack.id, required)),
  });
  const open = requires.filter(({ id }) => draft.statusOf(id) !== 'understood');
  const isReady = (id: string) =>
    (draft.library.concept(id)?.concept.prerequisites ?? []).every((other) => draft.statusOf(other) === 'understood');
  const first =
    (concept && open.includes(concept) ? concept : undefined) ?? open.find(({ id }) => isReady(id)) ?? open[0];
  draft.say(`“${outcome.goal}”. ${outcome.framing}`);
  const known = requires.length - open.length;
  if (known > 0) draft.say(`${known} of them you have proven already.`);
  const { checkin, adaptations } = draft.input;
  if (adaptations.depth === 'light' && first) {
    draft.say(
      checkin.timeAvailable
        ? `With ${checkin.timeAvailable} minutes we take one: ${first.name}.`
        : `Today one is enough: ${first.name}.`,
    );
  }
  if (!first) return continueOutcome(draft);
  draft.leadTo('probing');
  askProbe(draft, { pack, concept: first });
}

function acceptsSelfGuided(draft: TurnDraft, message: string): boolean {
  const goal = draft.state.unknownGoal;
  if (goal === undefined || !/\bself[- ]?guided\b|^\W*(?:yes|ok(?:ay)?|sure|let'?s do (?:that|it))\W*$/i.test(message))
    return false;
  if (draft.mode !== 'outcome_discovery') draft.enter('outcome_discovery');
  draft.change({ kind: 'outcome', goal, packId: null, packOutcomeId: null, criteria: [], requires: [] });
  draft.remember({ unknownGoal: undefined, offered: undefined });
  draft.ask({ kind: 'self_pieces' });
  draft.say(`“${goal}”, self-guided. Name the two to four pieces it is made of, separated by commas.`);
  return true;
}

export function answerPieces(draft: TurnDraft, message: string): void {
  const pieces = message
    .split(/[,;\n]|\band\b/i)
    .map((piece) => piece.trim().replace(/[.!?]+$/, ''))
    .filter((piece) => /\p{L}/u.test(piece))
    .slice(0, 4);
  const named = pieces.map((piece) => ({ piece, name: slugOf(piece) })).filter(({ name }) => name !== '');
  const [first] = named;
  if (!first) {
    draft.ask({ kind: 'self_pieces' });
    return draft.say('I need names for the pieces, such as: chords, rhythm, reading notes.');
  }
  for (const { piece, name } of named) {
    const concept = { name, displayName: piece.slice(0, 80), summary: piece.slice(0, 200), packId: null };
    draft.change({ kind: 'require', concept });
  }
  draft.enter('framing');
  draft.say(
    `${named.length === 1 ? 'One piece' : `${named.length} pieces`}: ${named.map(({ piece }) => piece).join(', ')}.`,
  );
  draft.discuss({ id: first.name });
  draft.leadTo('probing');
  draft.ask({ kind: 'self_explain', concept: first.name });
  draft.say(`Start with ${first.piece}: explain it to me as if I had never heard of it, with one example.`);
}

export function answerSelfExplanation(
  draft: TurnDraft,
  question: Extract<Question, { kind: 'self_explain' }>,
  message: string,
): void {
  const name = draft.conceptOf(question.concept)?.displayName ?? question.concept.replaceAll('_', ' ');
  draft.discuss({ id: question.concept });
  if (draft.said.isLost) {
    draft.findGap(question.concept, name);
    draft.ask(question);
    return draft.say(
      `Then ${name} is a gap. Look it up where you trust the source, and come back with one sentence on it.`,
    );
  }
  if (draft.said.words < 8) {
    draft.ask(question);
    return draft.say('A little more, please: what is it, and one example?');
  }
  const others = draft.required.filter((other) => other !== question.concept && draft.statusOf(other) === 'identified');
  const [next] = others;
  draft.say(
    `I cannot judge this, so judge it yourself: where would “${message.trim().split(/\s+/).slice(0, 8).join(' ')} …” stop being true? Write that down.`,
  );
  draft.change({ kind: 'concept', name: question.concept, status: 'teaching' });
  if (next) return selfGuided(draft, next);
  draft.ask({ kind: 'self_pieces' });
  draft.say('That was the last piece. Name another, or tell me about a new goal.');
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(\d)/, 'n_$1')
    .slice(0, 60);
}
