import { z } from 'zod';

/**
 * A pack is one subject a tutor can teach without a language model: what there is to know, how it is
 * explained, how an answer is judged, and whom one can practise with. `docs/sage-packs.md` describes it.
 */

const slug = z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be a snake_case id such as value_anchoring');
const hyphenated = z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be an id such as preset-pricing-call');
const sentence = z.string().trim().min(1).max(600);
const passage = z.string().trim().min(1).max(4000);

/** `anchor*`, `first number`, `not discount`, `/\$\s?\d+/`: see pattern.ts. */
const pattern = z.string().trim().min(1).max(200);

/** Any of these patterns; or, as a list of lists, one of every group. */
const said = z.union([z.array(pattern).min(1), z.array(z.array(pattern).min(1)).min(1)]);

const criterion = z.strictObject({
  id: slug,
  /** What an answer that meets it does, continuing "You …": "say what the first number does". */
  label: sentence,
  said,
  /** Patterns that void it: the same words meant otherwise. */
  unless: z.array(pattern).default([]),
  /** All required criteria make an answer solid. The others raise the confidence of a proof. */
  required: z.boolean().default(true),
  /** Asked when this criterion alone is missing. Must not give the answer away. */
  ask: sentence,
});

const misconception = z.strictObject({
  id: slug,
  said,
  unless: z.array(pattern).default([]),
  /** Said to the learner: what they seem to think and why it fails. */
  correction: passage,
});

const probe = z.strictObject({
  ask: passage,
  /** Meeting this suggests that the learner knows it already and may test out. */
  knows: said,
});

const checkKinds = ['explain', 'scenario', 'boundary', 'connection'] as const;

const check = z.strictObject({
  id: slug,
  /** A proof takes two checks, at least one of them not `explain`. */
  kind: z.enum(checkKinds),
  ask: passage,
  criteria: z.array(criterion).min(1),
  misconceptions: z.array(misconception).default([]),
  /** Fewer words of the learner's own than this are not judged. */
  minWords: z.int().min(3).max(60).default(8),
  /** Answers the linter runs: these must be judged solid… */
  good: z.array(passage).min(1),
  /** …and these must not. */
  weak: z.array(passage).min(1),
});

const teaching = z.strictObject({
  /** A word for the way in: `example`, `analogy`, `contrast`, `steps`, `story`. */
  approach: slug,
  /** Two or three sentences, for little time or energy. */
  light: passage,
  standard: passage,
  /** With the reasons, the limits and what experts argue about. */
  deep: passage,
});

const concept = z.strictObject({
  id: slug,
  name: z.string().trim().min(1).max(80),
  /** One sentence: also the back of a flash card. */
  summary: sentence,
  prerequisites: z.array(slug).default([]),
  relates: z.array(z.strictObject({ to: slug, how: sentence })).default([]),
  teach: z.array(teaching).min(2),
  probes: z.array(probe).min(1),
  checks: z.array(check).min(2),
});

const outcome = z.strictObject({
  id: slug,
  /** What the learner will be able to do: "Price freelance services confidently". */
  goal: sentence,
  /** Other ways people say they want this. */
  aliases: z.array(sentence).default([]),
  /** How they will know, continuing "You can …". */
  criteria: z.array(sentence).min(1),
  /** One or two sentences that name the pieces. */
  framing: passage,
  /** In teaching order. */
  requires: z.array(slug).min(1),
  /** The practice that suits it best. */
  practice: hyphenated.optional(),
});

const move = z.strictObject({
  id: slug,
  /** What the learner did, continuing "You …" in the past tense: "asked what the work is worth to them". */
  label: sentence,
  good: z.boolean(),
  said: said.optional(),
  unless: z.array(pattern).default([]),
  /** The message must (or must not) hold a question. */
  question: z.boolean().optional(),
  /** The message must (or must not) name a number or an amount. */
  number: z.boolean().optional(),
  /** The message must be at most / at least this long. */
  maxWords: z.int().min(1).optional(),
  minWords: z.int().min(1).optional(),
  /** How the character takes it; moods run from -3 (walks away) to 3 (won over). */
  mood: z.int().min(-3).max(3).default(0),
  /** A good move that is expected: leaving it out becomes an improvement. */
  expected: z.boolean().default(false),
  /** Feedback: for a good move what it achieved, for a bad one what to do instead. */
  feedback: passage,
  /** Advice where an expected move was left out; without it, the feedback. */
  missed: passage.optional(),
  /** The concept that a bad or missing move shows to be a gap. */
  gap: slug.optional(),
  /** Messages the linter runs: these must be recognised. */
  examples: z.array(passage).min(1),
});

/** Everything given must hold. */
const situation = z.strictObject({
  /** One of these moves in the learner's last message. */
  moves: z.array(slug).optional(),
  /** None of these in the last message. */
  without: z.array(slug).optional(),
  /** All of these at some time in the practice. */
  done: z.array(slug).optional(),
  /** None of these so far. */
  missing: z.array(slug).optional(),
  minMood: z.int().optional(),
  maxMood: z.int().optional(),
  minTurn: z.int().min(1).optional(),
  maxTurn: z.int().min(1).optional(),
});

const beat = z.strictObject({
  id: slug,
  /** The first beat whose situation holds answers; one without `when` always holds, so it goes last. */
  when: situation.optional(),
  /**
   * What the character says, used in order and not twice while others remain. `{quote}` stands for a
   * few of the learner's own words, `{amount}` for the amount they named (needs a move with `number`).
   */
  replies: z.array(passage).min(1),
  /** May answer again once its replies are used up. */
  repeat: z.boolean().default(false),
  /** The scene has come to its end. */
  ends: z.boolean().default(false),
});

const hint = z.strictObject({
  when: situation.optional(),
  /** A nudge of at most 25 words, not a line to read out. */
  text: sentence,
});

const scenario = z.strictObject({
  id: hyphenated,
  title: z.string().trim().min(1).max(80),
  description: sentence,
  sageRole: z.string().trim().min(1).max(120),
  userRole: z.string().trim().min(1).max(120),
  category: slug,
  difficulty: z.enum(['easy', 'medium', 'hard']),
  /** The concepts it exercises. */
  concepts: z.array(slug).default([]),
  opening: passage,
  moves: z.array(move).min(3),
  beats: z.array(beat).min(3),
  hints: z.array(hint).min(1),
});

export const packSchema = z.strictObject({
  format: z.literal('waymark-pack/1'),
  id: hyphenated,
  version: z.string().regex(/^\d+\.\d+\.\d+$/, 'must be a version such as 1.0.0'),
  license: z.string().trim().min(1),
  language: z.literal('en').default('en'),
  title: z.string().trim().min(1).max(80),
  description: sentence,
  /** Words and phrases by which people name the subject. */
  aliases: z.array(z.string().trim().min(1)).default([]),
  /** `client: [customer, buyer]`: the words on the right count as the word on the left, everywhere in the pack. */
  synonyms: z.record(z.string(), z.array(z.string().trim().min(1))).default({}),
  outcomes: z.array(outcome).min(1),
  concepts: z.array(concept).min(1),
  scenarios: z.array(scenario).default([]),
});

export type Pack = z.output<typeof packSchema>;
export type PackOutcome = Pack['outcomes'][number];
export type PackConcept = Pack['concepts'][number];
export type Teaching = PackConcept['teach'][number];
export type Probe = PackConcept['probes'][number];
export type Check = PackConcept['checks'][number];
export type CheckKind = Check['kind'];
export type Criterion = Check['criteria'][number];
export type Misconception = Check['misconceptions'][number];
export type Said = z.output<typeof said>;
export type Scenario = Pack['scenarios'][number];
export type Move = Scenario['moves'][number];
export type Beat = Scenario['beats'][number];
export type Situation = z.output<typeof situation>;
