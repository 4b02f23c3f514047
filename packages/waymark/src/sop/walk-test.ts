import { LineCounter, type Node as YamlNode, parseDocument } from 'yaml';
import { z } from 'zod';
import { applyEvent, type Conversation, currentWalk, startConversation } from './conversation.ts';
import { CoverageCounter, type Coverage } from './coverage.ts';
import { decideTool } from './gate.ts';
import type { FactValue, Navigation, Problem, Sop } from './model.ts';
import { planMove } from './navigate.ts';
import { todoFinishedBy } from './todos.ts';

const factValue = z.union([z.string(), z.number(), z.boolean()]);
const expectations = {
  edges: z.array(z.string()).optional(),
  tools: z.array(z.string()).optional(),
  complete: z.boolean().optional(),
  reminder: z.boolean().optional(),
  prompt: z.string().optional(),
};
const step = z.union([
  z.string(),
  z.strictObject({ goto: z.string(), ...expectations }),
  z.strictObject({ refused: z.string(), because: z.string().optional() }),
  z.strictObject({ fact: z.string(), value: factValue.nullable() }),
  z.strictObject({ tool: z.string(), allowed: z.boolean() }),
]);
const walkSchema = z.strictObject({
  name: z.string().min(1),
  walk: z.array(step).min(1),
  navigation: z.enum(['strict', 'spec']).optional(),
  facts: z.record(z.string(), factValue).optional(),
  todos: z.array(z.strictObject({ content: z.string(), completion_node: z.string() })).optional(),
  ends_at: z.string().optional(),
  complete: z.boolean().optional(),
});
const fileSchema = z.strictObject({ sop: z.string().min(1), tests: z.array(walkSchema).min(1) });

type Step = z.infer<typeof step>;
export type WalkTest = z.infer<typeof walkSchema> & { readonly lines: readonly number[]; readonly line: number };

export interface WalkTestFile {
  /** The SOP under test, relative to the test file. */
  readonly sop: string;
  readonly tests: readonly WalkTest[];
}

export interface WalkResult {
  readonly name: string;
  readonly line: number;
  /** Undefined when everything was as expected. */
  readonly failure: { readonly line: number; readonly message: string } | undefined;
}

export function parseWalkTests(source: string): { file: WalkTestFile | undefined; problems: Problem[] } {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter, prettyErrors: false });
  const problems: Problem[] = document.errors.map(({ pos, message }) => problemAt(lineCounter, pos[0], message));
  if (problems.length > 0) return { file: undefined, problems };
  const offsetOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as YamlNode | undefined;
      if (node?.range) return node.range[0];
    }
    return 0;
  };
  const parsed = fileSchema.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      problems.push(problemAt(lineCounter, offsetOf(path), `${path.map(String).join('.')}: ${message}`));
    }
    return { file: undefined, problems };
  }
  const lineOf = (path: readonly PropertyKey[]) => lineCounter.linePos(offsetOf(path)).line;
  const tests = parsed.data.tests.map((test, index) => ({
    ...test,
    line: lineOf(['tests', index]),
    lines: test.walk.map((_step, position) => lineOf(['tests', index, 'walk', position])),
  }));
  return { file: { sop: parsed.data.sop, tests }, problems };
}

function problemAt(lineCounter: LineCounter, offset: number, message: string): Problem {
  const { line, col } = lineCounter.linePos(offset);
  return { severity: 'error', code: 'INVALID_TEST', line, column: col, message };
}

/** Runs every walk against the SOP. */
export function runWalkTests(sop: Sop, tests: readonly WalkTest[]): { results: WalkResult[]; coverage: Coverage } {
  const counter = new CoverageCounter(sop);
  const results = tests.map((test) => new Walker(sop, test, counter).run());
  return { results, coverage: counter.result() };
}

class Walker {
  readonly #sop: Sop;
  readonly #test: WalkTest;
  readonly #counter: CoverageCounter;
  readonly #conversation: Conversation;
  readonly #navigation: Navigation;

  constructor(sop: Sop, test: WalkTest, counter: CoverageCounter) {
    this.#sop = sop;
    this.#test = test;
    this.#counter = counter;
    this.#navigation = test.navigation ?? sop.navigation ?? 'strict';
    this.#conversation = startConversation('test', 'test', '');
    const { agent, hash } = sop;
    applyEvent(this.#conversation, { type: 'loaded', agent, hash, file: '', reset: false });
    const todos = (test.todos ?? []).map((todo) => ({ ...todo, status: 'pending' as const }));
    applyEvent(this.#conversation, { type: 'todos', todos });
    for (const [name, value] of Object.entries(test.facts ?? {})) this.#recordFact(name, value);
  }

  run(): WalkResult {
    const { name, line, lines, walk, ends_at: end, complete } = this.#test;
    for (const [index, one] of walk.entries()) {
      const message = this.#take(one);
      if (message) return { name, line, failure: { line: lines[index] ?? line, message } };
    }
    const standing = currentWalk(this.#conversation);
    const here = standing?.path.at(-1) ?? null;
    const last = lines.at(-1) ?? line;
    if (end !== undefined && here !== end)
      return { name, line, failure: { line: last, message: `ends at ${here}, not at ${end}` } };
    if (complete !== undefined && standing?.complete !== complete) {
      return {
        name,
        line,
        failure: { line: last, message: complete ? `is not complete at ${here}` : `is complete at ${here}` },
      };
    }
    return { name, line, failure: undefined };
  }

  /** What went otherwise than the step says, if anything did. */
  #take(one: Step): string | undefined {
    if (typeof one === 'string') return this.#goto({ goto: one });
    if ('goto' in one) return this.#goto(one);
    if ('refused' in one) return this.#refused(one);
    if ('tool' in one) return this.#tool(one);
    this.#recordFact(one.fact, one.value);
    return undefined;
  }

  #goto(one: Extract<Step, { goto: string }>): string | undefined {
    const decision = this.#plan(one.goto);
    if (!decision.allowed) {
      this.#counter.addRefusal();
      return `${decision.error}${decision.validNext.length > 0 ? ` (possible: ${decision.validNext.join(', ')})` : ''}`;
    }
    const { from, to, by } = decision.event;
    applyEvent(this.#conversation, decision.event);
    this.#counter.addMove(from, to, by === 'edge');
    return this.#compare(to, one);
  }

  #compare(id: string, wanted: Extract<Step, { goto: string }>): string | undefined {
    const node = this.#sop.nodes.get(id);
    const targets = (this.#sop.edges.get(id) ?? []).map((edge) => edge.to);
    const complete = currentWalk(this.#conversation)?.complete ?? false;
    const reminder = complete && todoFinishedBy(id, this.#conversation.todos) !== undefined;
    if (wanted.edges && !sameItems(wanted.edges, targets))
      return `${id} leads to ${targets.join(', ') || 'nowhere'}, not to ${wanted.edges.join(', ')}`;
    if (wanted.tools && !sameItems(wanted.tools, node?.tools ?? []))
      return `${id} has the tools ${node?.tools?.join(', ') ?? '(none)'}, not ${wanted.tools.join(', ')}`;
    if (wanted.complete !== undefined && wanted.complete !== complete)
      return `${id} is ${complete ? '' : 'not '}a terminal node`;
    if (wanted.reminder !== undefined && wanted.reminder !== reminder)
      return `${id} gives ${reminder ? 'a' : 'no'} todo reminder`;
    if (wanted.prompt !== undefined && !node?.prompt?.includes(wanted.prompt))
      return `the prompt of ${id} does not contain "${wanted.prompt}"`;
    return undefined;
  }

  #refused({ refused, because }: Extract<Step, { refused: string }>): string | undefined {
    const decision = this.#plan(refused);
    if (decision.allowed) return `the move to ${refused} is allowed, but should be refused`;
    this.#counter.addRefusal();
    return because === undefined || decision.error.includes(because)
      ? undefined
      : `refused for another reason: ${decision.error}`;
  }

  #tool({ tool, allowed }: Extract<Step, { tool: string }>): string | undefined {
    const here = currentWalk(this.#conversation)?.path.at(-1);
    const isAllowed = decideTool(this.#sop, here, tool).allowed;
    if (isAllowed === allowed) return undefined;
    return `${tool} is ${isAllowed ? '' : 'not '}allowed at ${here ?? 'the beginning'}`;
  }

  #plan(target: string): ReturnType<typeof planMove> {
    const walk = currentWalk(this.#conversation) ?? { path: [], unlocked: new Set<string>() };
    return planMove({ sop: this.#sop, walk, facts: this.#conversation.facts, navigation: this.#navigation }, target);
  }

  #recordFact(name: string, value: FactValue | null): void {
    applyEvent(this.#conversation, { type: 'fact', name, value });
  }
}

function sameItems(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
