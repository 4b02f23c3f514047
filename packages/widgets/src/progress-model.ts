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
  /** Things done since the last session that nobody has asked about. */
  readonly followups: readonly string[];
  readonly planned: readonly { readonly what: string; readonly day: string }[];
  readonly dueReviews: number;
}

/** Reads a result of `sage_progress`; what only some servers send is left out where it is missing. */
export function readProgress(result: ToolResult): Progress {
  const content = record(result.structuredContent);
  const state = record(record(result._meta)['fullState']);
  const outcome = content['activeOutcome'] ? record(content['activeOutcome']) : undefined;
  const stats = record(content['stats']);
  const required = texts(records(state['outcomes']).find(({ id }) => id === outcome?.['id'])?.['requires']);
  const concepts = records(state['concepts']);
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
      quote: quoteFor(text(proof['concept']), records(state['proofs'])),
    })),
    ideas: required
      .flatMap((id) => concepts.filter((concept) => concept['id'] === id))
      .map((concept) => ({ name: text(concept['displayName']), status: text(concept['status']) })),
    followups: records(state['pendingFollowups']).map(({ context }) => text(context)),
    planned: records(state['upcomingApplications']).map(({ context, plannedDate }) => ({
      what: text(context),
      day: text(plannedDate),
    })),
    dueReviews: records(state['dueReviews']).length,
  };
}

function quoteFor(name: string, proofs: readonly Json[]): string {
  const proof = proofs.find(({ displayName }) => displayName === name);
  const [evidence] = records(proof?.['evidence']);
  const [quote] = records(evidence?.['quotes']);
  return text(quote?.['quote']);
}
