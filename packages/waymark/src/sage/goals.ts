import type { PackLibrary } from './pack-library.ts';
import type { Pack, PackConcept, PackOutcome } from './pack-model.ts';
import { contentStems } from './pattern.ts';
import { wordsOf } from './words.ts';

export interface GoalOption {
  readonly pack: Pack;
  readonly outcome: PackOutcome;
  /** How well the outcome itself was named, from 0 to 1; the rest is its subject. */
  readonly score: number;
}

export type GoalMatch =
  | { readonly kind: 'outcome'; readonly pack: Pack; readonly outcome: PackOutcome; readonly concept?: PackConcept }
  /** A subject is clear, but not which of its outcomes. */
  | { readonly kind: 'several'; readonly options: readonly GoalOption[] }
  | { readonly kind: 'none' };

const empty = new Set(
  `learn want understand know study teach help get good able improve how like need would practice practise skill topic start
  session today work way better thing confident something please`
    .split(/\s+/)
    .flatMap((word) => contentStems(wordsOf(word))),
);

export function subjectStems(text: string): string[] {
  // A p-value is no value: what hangs on a single letter is a word of its own.
  const whole = text.replaceAll(/\b(\p{L})-(?=\p{L})/gu, '$1');
  return contentStems(wordsOf(whole)).filter((stem) => !empty.has(stem) && stem.length > 1);
}

const enough = 0.6;

/** Which outcome of which pack somebody means who says this. */
export function findGoal(library: PackLibrary, text: string): GoalMatch {
  const exact = namedExactly(library, text);
  if (exact) return exact;
  const said = new Set(subjectStems(text));
  if (said.size === 0) return { kind: 'none' };
  const scored = library.packs
    .flatMap((pack) => {
      const subject = Math.max(0, ...[pack.title, ...pack.aliases].map((phrase) => overlap(phrase, said)));
      return pack.outcomes.map((outcome) => {
        const own = Math.max(...[outcome.goal, ...outcome.aliases].map((phrase) => overlap(phrase, said)));
        const concept = bestConcept(pack, outcome, said);
        return { pack, outcome, concept: concept?.concept, own: Math.max(own, concept?.score ?? 0), subject };
      });
    })
    .toSorted((left, right) => right.own + right.subject / 2 - (left.own + left.subject / 2));
  const [best, second] = scored;
  if (!best) return { kind: 'none' };
  const clear = !second || best.own + best.subject / 2 > second.own + second.subject / 2 + 0.05;
  if (best.own >= enough && clear) return found(best);
  const related = scored.filter(({ own, subject }) => Math.max(own, subject) >= enough);
  if (related.length === 0) return { kind: 'none' };
  const [only] = related;
  if (only && (related.length === 1 || (clear && only.own >= 0.3))) return found(only);
  return {
    kind: 'several',
    options: related.slice(0, 4).map(({ pack, outcome, own }) => ({ pack, outcome, score: own })),
  };
}

function namedExactly(library: PackLibrary, text: string): GoalMatch | undefined {
  const plain = (phrase: string) => phrase.trim().toLowerCase();
  for (const pack of library.packs) {
    const outcome = pack.outcomes.find(({ goal, aliases }) =>
      [goal, ...aliases].some((name) => plain(name) === plain(text)),
    );
    if (outcome) return { kind: 'outcome', pack, outcome };
  }
  return undefined;
}

function found({
  pack,
  outcome,
  concept,
}: {
  pack: Pack;
  outcome: PackOutcome;
  concept: PackConcept | undefined;
}): GoalMatch {
  return { kind: 'outcome', pack, outcome, ...(concept ? { concept } : {}) };
}

function bestConcept(pack: Pack, outcome: PackOutcome, said: ReadonlySet<string>) {
  return pack.concepts
    .filter(({ id }) => outcome.requires.includes(id))
    .map((concept) => ({ concept, score: Math.max(overlap(concept.name, said), covered(concept.name, said)) }))
    .filter(({ score }) => score >= enough)
    .toSorted((left, right) => right.score - left.score)[0];
}

/** How much of what was said, if that is a word or two, is in a name. */
function covered(name: string, said: ReadonlySet<string>): number {
  if (said.size > 2) return 0;
  const stems = new Set(subjectStems(name));
  return (0.9 * [...said].filter((stem) => stems.has(stem)).length) / said.size;
}

/** How much of a phrase was said; of two said whole, the longer one counts more. */
function overlap(phrase: string, said: ReadonlySet<string>): number {
  const stems = [...new Set(subjectStems(phrase))];
  if (stems.length === 0) return 0;
  const hits = stems.filter((stem) => said.has(stem)).length;
  return hits / stems.length + (hits > 1 ? 0.08 * (hits - 1) : 0);
}

/** Something to put after "learn to": the goal without "I want to learn how to". */
export function plainGoal(text: string): string {
  const plain = text
    .trim()
    .replace(/^(?:hi|hello|hey|ok|okay|so|well)[,.! ]+/i, '')
    .replace(
      /^(?:please\s+)?(?:(?:i(?:'d| would)? (?:like|want|need|have|wish)|i'm trying|i am trying|help me|teach me|let's|can you|could you)\s+)?(?:to\s+)?(?:help me\s+|teach me\s+)?(?:to\s+)?(?:learn|understand|study|know|get better at|be better at|work on)?\s*(?:more about|about|how to|to)?\s*/i,
      '',
    )
    .replace(/[.!?\s]+$/, '')
    .slice(0, 200);
  return plain === '' ? '' : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** The concept that a question is about, by any word of its name. */
export function findConcept(library: PackLibrary, text: string): PackConcept | undefined {
  const said = new Set(subjectStems(text));
  return library.packs
    .flatMap(({ concepts }) => concepts)
    .map((concept) => {
      const names = new Set(subjectStems(`${concept.name} ${concept.id.replaceAll('_', ' ')}`));
      return { concept, hits: [...said].filter((stem) => names.has(stem)).length };
    })
    .filter(({ hits }) => hits > 0)
    .toSorted((left, right) => right.hits - left.hits)[0]?.concept;
}
