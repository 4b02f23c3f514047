import type { CallRecord } from '../model.ts';
import type { CallSpec, Expectation, FinalState, ScenarioTurn, TaskSpec } from './scenario.ts';

/** A task as it stands in the store. */
export interface TaskState {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly due_date: string | null;
  readonly priority: string;
  readonly completed: boolean;
  readonly completed_at: string | null;
}

export const changing = ['add_task', 'complete_task', 'delete_task', 'update_task'];

const plain = (text: string) => text.trim().toLowerCase();

/** A `/pattern/` or a piece of text that must occur; neither minds upper and lower case. */
export function matchesText(text: string, wanted: string): boolean {
  const pattern = /^\/(.*)\/([a-z]*)$/s.exec(wanted);
  if (pattern?.[1] !== undefined)
    return new RegExp(pattern[1], `${pattern[2]?.includes('i') ? '' : 'i'}${pattern[2] ?? ''}`).test(text);
  return plain(text).includes(plain(wanted));
}

export interface TurnFacts {
  readonly reply: string;
  readonly calls: readonly CallRecord[];
  /** Ids by lower-case title, before and after the turn. */
  readonly ids: ReadonlyMap<string, string>;
  readonly after: readonly TaskState[];
}

/** What a turn did not do as it should. Empty when all is well, with one of the alternatives if need be. */
export function checkTurn(turn: ScenarioTurn, facts: TurnFacts): string[] {
  const main = checkExpectation(turn, facts);
  const problems =
    main.length === 0
      ? []
      : (turn.alt ?? []).some(
            (other) => checkExpectation({ ...other, reply: other.reply ?? turn.reply }, facts).length === 0,
          )
        ? []
        : main;
  return [...problems, ...checkReads(turn, facts), ...checkAttempts(turn, facts)];
}

function checkExpectation(expected: Expectation, facts: TurnFacts): string[] {
  const { reply, calls } = facts;
  const made = calls.filter(({ tool }) => changing.includes(tool));
  const problems: string[] = [];
  if (expected.calls && !sameCalls(expected.calls, made, facts))
    problems.push(`calls were ${sayCalls(made)}, not ${JSON.stringify(expected.calls)}`);
  if (expected.calls_unordered && !sameCallsInAnyOrder(expected.calls_unordered, made, facts)) {
    problems.push(`calls were ${sayCalls(made)}, not (in any order) ${JSON.stringify(expected.calls_unordered)}`);
  }
  for (const wanted of expected.reply ?? [])
    if (!matchesText(reply, wanted)) problems.push(`the reply lacks ${wanted}`);
  for (const unwanted of expected.reply_not ?? [])
    if (matchesText(reply, unwanted)) problems.push(`the reply has ${unwanted}`);
  return problems;
}

function checkReads(turn: ScenarioTurn, { calls }: TurnFacts): string[] {
  const firstList = calls.findIndex(({ tool }) => tool === 'list_tasks');
  const firstChange = calls.findIndex(({ tool }) => changing.includes(tool));
  const problems: string[] = [];
  if (turn.reads !== undefined && calls.filter(({ tool }) => tool === 'list_tasks').length !== turn.reads) {
    problems.push(`list_tasks should have been called ${turn.reads} times`);
  }
  if (turn.needs_list && (firstList < 0 || (firstChange >= 0 && firstChange < firstList))) {
    problems.push('list_tasks should have come first');
  }
  return problems;
}

function checkAttempts(turn: ScenarioTurn, { calls }: TurnFacts): string[] {
  return Object.entries(turn.attempts ?? {}).flatMap(([tool, count]) => {
    const made = calls.filter((call) => call.tool === tool).length;
    return made === count ? [] : [`${tool} was tried ${made} times, not ${count}`];
  });
}

function sameCalls(expected: readonly CallSpec[], made: readonly CallRecord[], facts: TurnFacts): boolean {
  return (
    expected.length === made.length && expected.every((spec, index) => isCall(spec, made[index] as CallRecord, facts))
  );
}

function sameCallsInAnyOrder(expected: readonly CallSpec[], made: readonly CallRecord[], facts: TurnFacts): boolean {
  if (expected.length !== made.length) return false;
  const left = [...made];
  return expected.every((spec) => {
    const index = left.findIndex((call) => isCall(spec, call, facts));
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

function isCall(spec: CallSpec, call: CallRecord, { ids, after }: TurnFacts): boolean {
  const [[tool, args] = []] = Object.entries(spec);
  if (tool !== call.tool) return false;
  return Object.entries(args ?? {}).every(([name, wanted]) => {
    if (name === 'task') return call.arguments['task_id'] === ids.get(plain(String(wanted)));
    if (name === 'due') {
      const id = call.arguments['task_id'];
      const task = after.find((one) =>
        id === undefined ? plain(one.title) === plain(String(call.arguments['title'])) : one.id === id,
      );
      return sameDue(task?.due_date ?? null, wanted as string | null);
    }
    return sameValue(call.arguments[name], wanted);
  });
}

function sameValue(actual: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'string' || typeof actual !== 'string') return actual === wanted;
  return /^\/.*\/$/s.test(wanted) ? matchesText(actual, wanted) : plain(actual) === plain(wanted);
}

export function sameDue(actual: string | null, wanted: string | null): boolean {
  if (actual === null || wanted === null) return actual === wanted;
  if (actual.includes('T') && wanted.includes('T')) return new Date(actual).getTime() === new Date(wanted).getTime();
  return actual === wanted;
}

function sayCalls(calls: readonly CallRecord[]): string {
  return JSON.stringify(calls.map(({ tool, arguments: args }) => ({ [tool]: args })));
}

/** What the tasks at the end are not. `start` are the tasks as they were given. */
export function checkFinal(expected: FinalState, tasks: readonly TaskState[], start: readonly TaskState[]): string[] {
  const present = Array.isArray(expected) ? expected : (expected.present ?? []);
  const absent = Array.isArray(expected) ? [] : (expected.absent ?? []);
  return [
    ...absent
      .filter((title) => tasks.some((task) => plain(task.title) === plain(title)))
      .map((title) => `'${title}' should be gone`),
    ...present.flatMap((spec) => checkTask(spec, tasks, start)),
  ];
}

function checkTask(spec: TaskSpec, tasks: readonly TaskState[], start: readonly TaskState[]): string[] {
  const task = tasks.find((one) => plain(one.title) === plain(spec.title));
  if (!task) return [`there is no task '${spec.title}'`];
  const problems: string[] = [];
  if (spec.due !== undefined && !sameDue(task.due_date, spec.due))
    problems.push(`'${spec.title}' is due ${task.due_date}, not ${spec.due}`);
  for (const field of ['priority', 'completed', 'description'] as const) {
    if (spec[field] !== undefined && task[field] !== spec[field])
      problems.push(`'${spec.title}' has ${field} ${String(task[field])}, not ${String(spec[field])}`);
  }
  if (spec['completed_at'] === 'unchanged') {
    const before = start.find(({ id }) => id === task.id);
    if (before?.completed_at !== task.completed_at) problems.push(`'${spec.title}' was completed anew`);
  }
  return problems;
}
