import type { Mode } from './model.ts';

interface ModeRules {
  readonly description: string;
  readonly next: readonly Mode[];
}

const rules: Readonly<Record<Mode, ModeRules>> = {
  check_in: {
    description: 'Finding out how you are and what you came for',
    next: ['followup', 'outcome_discovery', 'probing', 'framing'],
  },
  followup: {
    description: 'Hearing how it went in real life',
    next: ['probing', 'teaching', 'outcome_discovery'],
  },
  outcome_discovery: { description: 'Finding what you want to be able to do', next: ['framing', 'probing'] },
  framing: { description: 'Naming the pieces of the goal', next: ['probing'] },
  probing: { description: 'Finding gaps in knowledge', next: ['teaching', 'verification', 'outcome_check'] },
  teaching: { description: 'Filling one gap', next: ['verification', 'teaching'] },
  verification: {
    description: 'Checking real understanding, in your own words',
    next: ['outcome_check', 'teaching', 'probing'],
  },
  outcome_check: { description: 'Seeing whether you can do the thing', next: ['probing', 'outcome_discovery'] },
};

export function describeMode(mode: Mode): string {
  return rules[mode].description;
}

export function isAllowed(from: Mode, to: Mode): boolean {
  return from === to || rules[from].next.includes(to);
}

/** The shortest way from one mode to another that keeps to the rules, without the start. */
export function pathBetween(from: Mode, to: Mode): Mode[] | undefined {
  if (from === to) return [];
  const queue: Mode[][] = [[from]];
  const seen = new Set<Mode>([from]);
  for (const path of queue) {
    for (const next of rules[path.at(-1) ?? from].next) {
      if (next === to) return [...path.slice(1), to];
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push([...path, next]);
    }
  }
  return undefined;
}
