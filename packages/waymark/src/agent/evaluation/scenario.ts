import { parse } from 'yaml';
import { z } from 'zod';

/** The form of a scenario file: conversations and what they must lead to. */

const taskSpec = z.looseObject({
  title: z.string(),
  due: z.string().nullable().optional(),
  priority: z.string().optional(),
  completed: z.boolean().optional(),
  description: z.string().nullable().optional(),
});
export type TaskSpec = z.infer<typeof taskSpec>;

const fixture = z.union([
  z.array(taskSpec),
  z.strictObject({ generate: z.strictObject({ count: z.number().int().min(1).max(20_000), title: z.string() }) }),
]);

const callSpec = z.record(z.string(), z.record(z.string(), z.unknown()).nullable());
export type CallSpec = z.infer<typeof callSpec>;

const expectation = z.looseObject({
  calls: z.array(callSpec).optional(),
  calls_unordered: z.array(callSpec).optional(),
  reply: z.array(z.string()).optional(),
  reply_not: z.array(z.string()).optional(),
});

const fault = z.looseObject({
  error: z.string().optional(),
  code: z.string().optional(),
  retry_after: z.number().optional(),
  malformed: z.boolean().optional(),
  /** Only the first so many calls fail. */
  times: z.number().int().min(1).optional(),
});
export type Fault = z.infer<typeof fault>;

const before = z.looseObject({
  restart: z.string().optional(),
  add: taskSpec.optional(),
  complete: z.string().optional(),
  delete: z.string().optional(),
  fail: z.record(z.string(), fault).optional(),
});

const turn = expectation.extend({
  user: z.string(),
  before: before.optional(),
  needs_list: z.boolean().optional(),
  reads: z.number().int().optional(),
  attempts: z.record(z.string(), z.number().int()).optional(),
  seed_reply: z.string().optional(),
  alt: z.array(expectation).optional(),
});
export type ScenarioTurn = z.infer<typeof turn>;
export type Expectation = z.infer<typeof expectation>;

const finalState = z.union([
  z.array(taskSpec),
  z.looseObject({ absent: z.array(z.string()).optional(), present: z.array(taskSpec).optional() }),
]);
export type FinalState = z.infer<typeof finalState>;

const scenario = z.looseObject({
  id: z.string(),
  refs: z.array(z.string()).default([]),
  note: z.string().optional(),
  given: z.union([z.string(), fixture]).default([]),
  other_user: z.array(taskSpec).optional(),
  now: z.string().optional(),
  timezone: z.string().optional(),
  fail: z.record(z.string(), fault).optional(),
  turns: z.array(turn).min(1),
  final: finalState.optional(),
  alt_final: finalState.optional(),
  final_count: z.number().int().optional(),
  final_other: z.array(taskSpec).optional(),
});
export type Scenario = z.infer<typeof scenario>;

const file = z.looseObject({
  meta: z
    .looseObject({
      now: z.string().optional(),
      timezone: z.string().optional(),
      user: z.string().optional(),
      global_reply_not: z.array(z.string()).default([]),
    })
    .prefault({}),
  fixtures: z.record(z.string(), fixture).default({}),
  scenarios: z.array(scenario).min(1),
});
export type ScenarioFile = z.infer<typeof file>;

export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

export function parseScenarios(text: string): ScenarioFile {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (error) {
    throw new ScenarioError(`not YAML: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
  }
  const read = file.safeParse(raw);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ScenarioError(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a scenario file'}`);
  }
  const unknown = read.data.scenarios.find(({ given }) => typeof given === 'string' && !(given in read.data.fixtures));
  if (unknown)
    throw new ScenarioError(
      `scenario ${unknown.id}: there is no fixture "${typeof unknown.given === 'string' ? unknown.given : ''}"`,
    );
  return read.data;
}

/** The tasks a scenario starts with. */
export function givenTasks({ given }: Scenario, { fixtures }: ScenarioFile): TaskSpec[] {
  const spec = typeof given === 'string' ? (fixtures[given] ?? []) : given;
  if (Array.isArray(spec)) return spec;
  const { count, title } = spec.generate;
  return Array.from({ length: count }, (_one, index) => ({ title: title.replaceAll('{n}', String(index + 1)) }));
}

/** `{{'x'*501}}` stands for that many x. */
export function expand(text: string): string {
  return text.replaceAll(/\{\{\s*'([^']*)'\s*\*\s*(\d+)\s*\}\}/g, (_all, piece: string, count: string) =>
    piece.repeat(Number(count)),
  );
}
