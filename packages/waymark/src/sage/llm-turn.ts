import { z } from 'zod';
import { modes } from './model.ts';

const name = z.string().trim().min(1).max(80);
const short = z.string().trim().min(1).max(500);

const checkKinds = ['explain', 'scenario', 'boundary', 'connection'] as const;

/** What a language model answers in a turn. Everything in it is a proposal that the server checks. */
export const llmTurnSchema = z.object({
  message: z.string().trim().min(1).max(8000),
  currentMode: z.enum(modes),
  transitionTo: z.enum(modes).nullish(),
  /** The goal became clear, or was reached. */
  outcome: z
    .object({
      action: z.enum(['create', 'achieve']),
      goal: short.nullish(),
      criteria: z.array(short).max(6).nullish(),
      concepts: z
        .array(z.object({ name, displayName: name, summary: short }))
        .max(8)
        .nullish(),
    })
    .nullish(),
  conceptsDiscussed: z.array(name).max(10).default([]),
  gapIdentified: z.object({ name, displayName: name, summary: short.nullish() }).nullish(),
  /** The question the message ends with, if it tests a concept. */
  question: z.object({ concept: name, kind: z.enum(checkKinds) }).nullish(),
  /** Of the learner's answer to the question asked before, with their words verbatim. */
  judgement: z
    .object({ concept: name, solid: z.boolean(), quote: z.string().max(2000), why: z.string().max(1000).nullish() })
    .nullish(),
  followup: z.object({ applicationId: z.string(), result: z.enum(['went_well', 'struggled', 'mixed']) }).nullish(),
  insights: z.array(short).max(5).default([]),
});

export type LlmTurn = z.output<typeof llmTurnSchema>;

/** Reads the model's text, also where it is wrapped in a code fence. Undefined if it is not what was asked for. */
export function readLlmTurn(text: string): LlmTurn | undefined {
  const body = /\{[\s\S]*\}/.exec(text)?.[0];
  if (body === undefined) return undefined;
  try {
    const parsed = llmTurnSchema.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
