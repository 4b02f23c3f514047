import type { ToolResult } from './host-model.ts';
import { type Json, number, record, records, text, texts } from './read.ts';

export interface ProvenIdea {
  readonly name: string;
  readonly day: string;
  /** The learner's own words that earned it. */
  readonly quote: string;
}

export interface Progress {
  readonly goal:
    | { readonly description: string; readonly share: number; readonly required: number; readonly proven: number }
    | undefined;
  readonly stats: {
    readonly sessions: number;
    readonly proofs: number;
    readonly concepts: number;
    readonly streak: number;
  };
  readonly proofs: readonly ProvenIdea[];
  readonly ideas: readonly { readonly name: string; readonly status: string }[];
  readonly nextSteps: readonly string[];
  readonly dueReviews: number;
}

/** Reads a result of `sage_progress`; what only some servers send is left out where it is missing. */
export function readProgress(result: ToolResult): Progress {
  const content = record(result.structuredContent);
  const state = record(record(result._meta)['fullState']);
  const outcome = content['activeOutcome'] ? record(content['activeOutcome']) : undefined;
  const stats = record(content['stats']);
  const concepts = records(state['concepts']);
  const outcomeId = text(outcome?.['id']);
  const required = records(state['outcomes']).find(({ id }) => id === outcomeId)?.['requires'];
  const ofGoal = new Set(texts(required));
  return {
    goal: outcome && {
      description: text(outcome['description']),
      share: Math.min(1, Math.max(0, number(outcome['progress']))),
      required: number(outcome['conceptsRequired']),
      proven: number(outcome['conceptsProven']),
    },
    stats: {
      sessions: number(stats['totalSessions']),
      proofs: number(stats['totalProofs']),
      concepts: number(stats['totalConcepts']),
      streak: number(stats['streakDays']),
    },
    proofs: records(content['recentProofs']).map((proof) => ({
      name: text(proof['concept']),
      day: text(proof['earnedAt']),
      quote: quoteFor(text(proof['concept']), concepts, records(state['proofs'])),
    })),
    ideas: concepts
      .filter(({ id }) => ofGoal.size === 0 || ofGoal.has(text(id)))
      .map((concept) => ({
        name: text(concept['displayName']) || text(concept['name']),
        status: text(concept['status']),
      }))
      .filter(({ name }) => name !== ''),
    nextSteps: texts(state['nextSteps']),
    dueReviews: records(state['dueReviews']).length,
  };
}

function quoteFor(name: string, concepts: readonly Json[], proofs: readonly Json[]): string {
  const concept = concepts.find(({ displayName }) => displayName === name);
  const proof = proofs.find(({ conceptId }) => concept !== undefined && conceptId === concept['id']);
  const [evidence] = records(proof?.['evidence']);
  const [quote] = records(evidence?.['quotes']);
  return text(quote?.['quote']);
}
