import { z } from 'zod';

/** Strict, so that a field an answer has and its schema has not is found by the tests and not by a client. */
const answer = z.strictObject;
const list = <T extends z.ZodType>(item: T): z.ZodType<readonly z.output<T>[]> => z.array(item);

const text = z.string();
const texts = list(text);
const count = z.int();
const maybe = text.nullable();
const flag = z.boolean();
const someText = text.exactOptional();
const someTexts = texts.exactOptional();
const someCount = count.exactOptional();
const someNumber = z.number().nullable();
const only = z.literal(true).exactOptional();
const factValue = z.union([text, z.number(), flag]);
const facts = z.record(text, factValue);

const todo = answer({
  content: text,
  note: someText,
  status: z.enum(['pending', 'in_progress', 'completed']),
  completion_node: someText,
});
const todos = list(todo);
const summary = answer({ pending: count, in_progress: count, completed: count });

const problem = { line: count, col: count, code: text, message: text };

const graph = answer({
  agent: text,
  version: maybe,
  entry_node: text,
  model: answer({
    provider: maybe,
    name: maybe,
    temperature: someNumber,
    max_tokens: someNumber,
  }).nullable(),
  mcp_servers: list(answer({ name: text, url: someText })),
  graph: answer({
    node_count: count,
    decision_nodes: texts,
    terminal_nodes: texts,
    nodes_with_prompts: texts,
    reentry_nodes: someTexts,
  }),
  system_prompt_sections: texts,
  system_prompt: text,
  conversation_id: text,
  content_hash: text,
  status: z.enum(['loaded', 'unchanged', 'changed', 'reset']),
  note: someText,
  current_node: someText,
  warnings: list(answer(problem)).exactOptional(),
});

const node = answer({
  id: text,
  type: text,
  description: text,
  prompt: someText,
  tools: someTexts,
  examples: list(answer({ user: text, agent: text })).exactOptional(),
});
const edge = answer({
  to: text,
  condition: maybe,
  style: z.literal('dotted').exactOptional(),
  requires: someTexts,
});
/** What the nodes on the way delivered, where a call walked several. */
const passed = list(node).exactOptional();
const arrival = answer({
  node,
  edges: list(edge),
  path: texts,
  path_length: someCount,
  valid: z.literal(true),
  complete: only,
  repeat: only,
  stale: only,
  todo_reminder: someText,
  todo: someText,
  open_todos: someCount,
  passed,
});
const refusal = answer({
  valid: z.literal(false),
  error: text,
  current_node: maybe,
  valid_next: texts,
  did_you_mean: someText,
  missing_facts: someTexts,
  route: someTexts,
  passed,
});

/** What the tools that follow a procedure answer. */
export const runOutputs = {
  graph,
  move: z.union([arrival, refusal]),
  todos: answer({ todos, summary, warnings: someTexts }),
  state: answer({
    conversation_id: text,
    todos,
    summary,
    facts,
    agent: maybe,
    sop_file: someText,
    content_hash: someText,
    current_node: maybe,
    valid_next: texts,
    path: texts,
    complete: flag,
    unlocked: someTexts,
    stale: only,
  }),
  facts: answer({ facts }),
} as const;

export type LoadAnswer = z.output<typeof runOutputs.graph>;
export type StateAnswer = z.output<typeof runOutputs.state>;

const move = { from: maybe, to: text };
const at = text;
const record = z.discriminatedUnion('type', [
  answer({ type: z.literal('started'), user: text, at }),
  answer({ type: z.literal('loaded'), agent: text, hash: text, file: text, reset: flag, at }),
  answer({
    type: z.literal('moved'),
    ...move,
    by: z.enum(['edge', 'entry', 'reentry', 'repeat']),
    complete: flag,
    unlocks: flag,
    at,
  }),
  answer({
    type: z.literal('refused'),
    ...move,
    reason: z.enum(['unknown-node', 'not-started', 'no-edge', 'locked', 'missing-facts']),
    at,
  }),
  answer({ type: z.literal('todos'), todos, at }),
  answer({ type: z.literal('fact'), name: text, value: factValue.nullable(), at }),
  answer({
    type: z.literal('tool'),
    name: text,
    node: maybe,
    verdict: z.enum(['allowed', 'warned', 'refused']),
    at,
  }),
]);
const verdict = z.enum(['allowed', 'refused']);
const difference = answer({ move: count, ...move, before: verdict, after: verdict, reason: someText });
const covered = answer({ visited: count, total: count, missed: texts });

/** What the tools that look at procedures and conversations answer. */
export const reviewOutputs = {
  conversations: answer({
    total: count,
    conversations: list(
      answer({
        conversation_id: text,
        agent: maybe,
        sop_file: maybe,
        current_node: maybe,
        complete: flag,
        moves: count,
        refusals: count,
        todos: summary,
        started_at: text,
        last_used_at: text,
      }),
    ),
  }),
  replay: answer({
    conversation_id: text,
    records: list(record),
    replay: answer({ moves: count, differences: list(difference) }).exactOptional(),
  }),
  coverage: answer({
    agent: text,
    content_hash: text,
    conversations: count,
    moves: count,
    refusals: count,
    nodes: covered,
    edges: covered,
    visits: z.record(text, count),
  }),
  check: answer({ ok: flag, problems: list(answer({ severity: z.enum(['error', 'warning']), ...problem })) }),
} as const;
