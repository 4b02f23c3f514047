import type { TaskAgent, TurnAnswer } from '../task-agent.ts';
import type { CallRecord } from '../model.ts';
import { checkFinal, checkTurn, matchesText, type TaskState } from './check.ts';
import { expand, type Fault, givenTasks, type Scenario, type ScenarioFile, type TaskSpec } from './scenario.ts';

/** Where scenarios are played: a store with nobody else in it. */
export interface Stage {
  /** Starts a scenario anew, with these tasks for the person and for somebody else. */
  reset(options: {
    readonly now: Date;
    readonly timeZone: string;
    readonly tasks: readonly TaskSpec[];
    readonly others: readonly TaskSpec[];
  }): Promise<void>;
  /** A fresh agent, as after a restart. */
  agent(): Promise<TaskAgent>;
  readonly user: string;
  readonly otherUser: string;
  tasks(user: string): Promise<TaskState[]>;
  add(task: TaskSpec): Promise<void>;
  complete(title: string): Promise<void>;
  delete(title: string): Promise<void>;
  /** Makes tools fail from now on. */
  fail(faults: Readonly<Record<string, Fault>>): void;
}

export interface TurnReport {
  readonly user: string;
  readonly reply: string;
  readonly calls: readonly CallRecord[];
  readonly problems: readonly string[];
  readonly ms: number;
  readonly tokens: number;
  readonly invented: number;
  /** Whether the reply is the sentence of the specification; undefined where it gives none. */
  readonly worded: boolean | undefined;
}

export interface ScenarioReport {
  readonly id: string;
  readonly refs: readonly string[];
  readonly passed: boolean;
  readonly problems: readonly string[];
  readonly turns: readonly TurnReport[];
}

const defaultNow = '2026-11-18T15:30:00-05:00';

export async function runScenario(scenario: Scenario, file: ScenarioFile, stage: Stage): Promise<ScenarioReport> {
  const timeZone = scenario.timezone ?? file.meta.timezone ?? 'UTC';
  const now = new Date(scenario.now ?? file.meta.now ?? defaultNow);
  stage.fail({});
  await stage.reset({ now, timeZone, tasks: givenTasks(scenario, file), others: scenario.other_user ?? [] });
  stage.fail(scenario.fail ?? {});
  const start = await stage.tasks(stage.user);
  let agent = await stage.agent();
  let conversation: string | undefined;
  const turns: TurnReport[] = [];
  for (const turn of scenario.turns) {
    const { before } = turn;
    if (before?.restart !== undefined) agent = await stage.agent();
    if (before?.add) await stage.add(before.add);
    if (before?.complete !== undefined) await stage.complete(before.complete);
    if (before?.delete !== undefined) await stage.delete(before.delete);
    if (before?.fail) stage.fail(before.fail);
    const earlier = await stage.tasks(stage.user);
    const message = expand(turn.user);
    const started = performance.now();
    const answer: TurnAnswer = await agent.turn({
      user: { id: stage.user, scopes: 'all' },
      message,
      conversation,
      timeZone,
    });
    const ms = performance.now() - started;
    conversation = answer.conversation;
    const after = await stage.tasks(stage.user);
    const ids = new Map([...after, ...earlier].map((task) => [task.title.trim().toLowerCase(), task.id]));
    const unwanted = file.meta.global_reply_not.filter((pattern) => matchesText(answer.reply, pattern));
    turns.push({
      user: message,
      reply: answer.reply,
      calls: answer.calls,
      problems: [
        ...checkTurn(turn, { reply: answer.reply, calls: answer.calls, ids, after }),
        ...unwanted.map((pattern) => `the reply has ${pattern}`),
      ],
      ms,
      tokens: answer.usage.inputTokens + answer.usage.outputTokens,
      invented: answer.invented.length,
      worded: turn.seed_reply === undefined ? undefined : answer.reply.includes(turn.seed_reply),
    });
  }
  const problems = await checkEnd(scenario, stage, start);
  return {
    id: scenario.id,
    refs: scenario.refs,
    passed: problems.length === 0 && turns.every((turn) => turn.problems.length === 0),
    problems,
    turns,
  };
}

async function checkEnd(scenario: Scenario, stage: Stage, start: readonly TaskState[]): Promise<string[]> {
  const tasks = await stage.tasks(stage.user);
  const problems = scenario.final ? checkFinal(scenario.final, tasks, start) : [];
  const isAlternative =
    problems.length > 0 &&
    scenario.alt_final !== undefined &&
    checkFinal(scenario.alt_final, tasks, start).length === 0;
  const count =
    scenario.final_count !== undefined && tasks.length !== scenario.final_count
      ? [`there are ${tasks.length} tasks, not ${scenario.final_count}`]
      : [];
  const others = scenario.final_other ? checkFinal(scenario.final_other, await stage.tasks(stage.otherUser), []) : [];
  return [...(isAlternative ? [] : problems), ...count, ...others.map((problem) => `somebody else: ${problem}`)];
}
