import { amountIn, recogniseMoves } from './moves.ts';
import type { Beat, Move, Scenario, Situation } from './pack-model.ts';
import type { Synonyms } from './pattern.ts';
import { wordsOf } from './words.ts';

/** A role play so far. */
export interface PracticeState {
  readonly mood: number;
  /** Replies used, by beat. */
  readonly used: Readonly<Record<string, number>>;
  readonly moves: readonly { readonly turn: number; readonly id: string; readonly quote: string }[];
  readonly hints: number;
  /** The scene has come to its end. */
  readonly over: boolean;
}

export const freshPractice: PracticeState = { mood: 0, used: {}, moves: [], hints: 0, over: false };

const sceneIsOver = '(The scene is over. End the practice for your feedback.)';

/** A character is not won over by one sentence, unless the scenario says when it may be. */
const shortestScene = 3;

export interface PracticeStep {
  readonly reply: string;
  readonly state: PracticeState;
  readonly made: readonly string[];
}

/** Hears a message, lets the character react, and remembers what was done. */
export function playTurn(
  scenario: Scenario,
  state: PracticeState,
  message: string,
  turn: number,
  synonyms: Synonyms = {},
): PracticeStep {
  if (wordsOf(message).length === 0) return { reply: '(waits for you to say something)', state, made: [] };
  if (state.over) return { reply: sceneIsOver, state, made: [] };
  const made = recogniseMoves(scenario.moves, message, synonyms);
  const ids = made.map(({ move }) => move.id);
  const mood = clamp(made.reduce((sum, { move }) => sum + move.mood, state.mood));
  const moves = [...state.moves, ...made.map(({ move, quote }) => ({ turn, id: move.id, quote }))];
  const facts: Facts = { last: ids, done: moves.map(({ id }) => id), mood, turn };
  const amount = amountIn(message);
  const slipped = made.some(({ move }) => !move.good);
  const mayEnd = ({ ends, when }: Beat) => {
    if (!ends) return true;
    // Nobody is won over in the moment of a mistake; only an ending made for it may come then.
    if (slipped && when?.moves === undefined && when?.maxMood === undefined) return false;
    return when?.minTurn !== undefined || turn >= shortestScene;
  };
  const fits = scenario.beats.filter((beat) => holds(beat.when, facts) && mayEnd(beat));
  const beat =
    fits.find((candidate) => nextReply(candidate, state, amount) !== undefined && !isUsedUp(candidate, state)) ??
    fits.at(-1) ??
    scenario.beats.at(-1);
  const reply = beat && (nextReply(beat, state, amount) ?? beat.replies[0]);
  if (!beat || reply === undefined) throw new TypeError(`the scenario ${scenario.id} has no beat for this`);
  return {
    reply: fill(reply, made.at(-1)?.quote ?? firstWords(message), amount),
    made: ids,
    state: {
      ...state,
      mood,
      moves,
      used: { ...state.used, [beat.id]: (state.used[beat.id] ?? 0) + 1 },
      over: state.over || beat.ends,
    },
  };
}

interface Facts {
  readonly last: readonly string[];
  readonly done: readonly string[];
  readonly mood: number;
  readonly turn: number;
}

function holds(when: Situation | undefined, { last, done, mood, turn }: Facts): boolean {
  if (!when) return true;
  if (when.moves && !when.moves.some((id) => last.includes(id))) return false;
  if (when.without?.some((id) => last.includes(id))) return false;
  if (when.done && !when.done.every((id) => done.includes(id))) return false;
  if (when.missing?.some((id) => done.includes(id))) return false;
  if (mood < (when.minMood ?? mood) || mood > (when.maxMood ?? mood)) return false;
  return turn >= (when.minTurn ?? turn) && turn <= (when.maxTurn ?? turn);
}

function isUsedUp(beat: Beat, { used }: PracticeState): boolean {
  return !beat.repeat && (used[beat.id] ?? 0) >= beat.replies.length;
}

function nextReply({ id, replies }: Beat, { used }: PracticeState, amount: string | undefined): string | undefined {
  const from = used[id] ?? 0;
  const rotated = replies.map((_reply, index) => replies[(from + index) % replies.length] ?? '');
  return rotated.find((reply) => amount !== undefined || !reply.includes('{amount}'));
}

function fill(reply: string, quote: string, amount: string | undefined): string {
  return reply.replaceAll('{quote}', quote).replaceAll('{amount}', amount ?? 'that');
}

function firstWords(message: string): string {
  const words = wordsOf(message);
  const last = words[Math.min(7, words.length - 1)];
  return last ? message.slice(words[0]?.start ?? 0, last.end) : '';
}

function clamp(mood: number): number {
  return Math.max(-3, Math.min(3, mood));
}

/** A nudge that fits the moment. */
export function hintFor(scenario: Scenario, state: PracticeState, turn: number): string | undefined {
  const last = state.moves.filter((made) => made.turn === turn).map(({ id }) => id);
  const facts: Facts = { last, done: state.moves.map(({ id }) => id), mood: state.mood, turn: Math.max(1, turn) };
  return scenario.hints.find(({ when }) => holds(when, facts))?.text;
}

export interface Feedback {
  readonly summary: string;
  readonly positives: readonly string[];
  readonly improvements: readonly string[];
  /** Names of concepts. */
  readonly revealedGaps: readonly string[];
}

/** Feedback from what was done, each point with the learner's words and the turn they fell in. */
export function feedbackOn(scenario: Scenario, state: PracticeState, turns: number): Feedback {
  if (turns === 0) {
    return {
      summary: `You left “${scenario.title}” before saying anything, so there is nothing to judge. The scene is there whenever you want it.`,
      positives: [],
      improvements: [],
      revealedGaps: [],
    };
  }
  const firstOf = (move: Move) => state.moves.find(({ id }) => id === move.id);
  const good = scenario.moves.filter((move) => move.good && firstOf(move));
  const bad = scenario.moves.filter((move) => !move.good && firstOf(move));
  const missed = scenario.moves.filter((move) => move.good && move.expected && !firstOf(move));
  const evidence = (move: Move) => {
    const made = firstOf(move);
    return made ? `Turn ${made.turn}, “${made.quote}”: you ${move.label}. ${move.feedback}` : '';
  };
  const improvements = [
    ...bad.map(evidence),
    ...missed.map((move) => {
      const length = turns === 1 ? 'your one turn' : `${turns} turns`;
      return [`In ${length} you never ${move.label}.`, move.missed].filter(Boolean).join(' ');
    }),
  ];
  const gaps = [...bad, ...missed].flatMap(({ gap }) => (gap ? [gap] : []));
  return {
    summary: summarise(scenario, state, turns, good, [...bad, ...missed]),
    positives: good.slice(0, 3).map(evidence),
    improvements: improvements.slice(0, 3),
    revealedGaps: [...new Set(gaps)],
  };
}

function summarise(
  scenario: Scenario,
  state: PracticeState,
  turns: number,
  good: readonly Move[],
  rest: readonly Move[],
): string {
  const length = turns === 1 ? 'one turn' : `${turns} turns`;
  const end = state.over ? 'and the scene came to its end' : 'and you ended it before the scene did';
  const role = `the ${lowerFirst(scenario.sageRole.replace(/^(?:the|a|an|your) /i, ''))}`;
  const left =
    state.mood >= 2
      ? `${role} left on your side`
      : state.mood <= -2
        ? `${role} left annoyed`
        : `${role} left undecided`;
  const best = good[0] ? `What carried it: you ${good[0].label}.` : 'Nothing you said moved it forward yet.';
  const first = rest[0];
  const advice = first && (first.good ? first.missed : first.feedback);
  const next = advice
    ? `Next time, above all: ${lowerFirst(advice)}`
    : first
      ? `What was missing: you never ${first.label}.`
      : 'Try it again with less help or a harder opening.';
  return `You talked for ${length}, ${end}; ${left}. ${best} ${next.replace(/([^.!?])$/, '$1.')}`;
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
