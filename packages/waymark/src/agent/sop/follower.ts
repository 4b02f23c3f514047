import { callOne, type Outcome, type Plan } from '../offline/plan.ts';
import { argumentsFrom, askFor, factsIn, propertiesOf, readValue } from './arguments.ts';
import { edgeByFacts, factOf, pickByWords, pickOption, plainName } from './choose.ts';
import type { Position, Procedure, ProcedureTool, SopDialog } from './model.ts';
import { positionOf } from './sop-tools.ts';

/** What the follower works with. The dialog changes as it goes. */
export interface FollowerDesk {
  dialog: SopDialog;
  readonly procedure: Procedure;
  readonly tools: readonly ProcedureTool[];
  readonly said: string[];
}

const maxMoves = 60;

/**
 * Follows a procedure without a language model. Single edges are walked; a branch is taken when
 * facts or the person's words decide it, and asked for otherwise; tools are called with what is
 * known, and what is missing is asked for. It never pretends to understand more.
 */
export function* follow(desk: FollowerDesk, message: string): Plan<string> {
  const { question } = desk.dialog;
  if (question?.kind === 'again') desk.dialog = { ...desk.dialog, given: {} };
  hear(desk, factsIn(message, desk.tools));
  if (question) {
    const problem = yield* answer(desk, message);
    if (problem !== undefined) return say(desk, problem);
  } else {
    desk.dialog = { ...desk.dialog, wish: message };
  }
  return yield* advance(desk);
}

/** Goes on after calls that had to wait for a yes. */
export function* followAfter(desk: FollowerDesk, outcomes: readonly Outcome[]): Plan<string> {
  for (const outcome of outcomes) tell(desk, outcome);
  if (outcomes.some(({ ok }) => ok)) {
    desk.dialog = { ...desk.dialog, handled: desk.dialog.position?.id };
    return yield* advance(desk);
  }
  return `${desk.said.join('\n')}\nPlease try again, or ask for a person.`.trim();
}

function* answer(desk: FollowerDesk, message: string): Plan<string | undefined> {
  const { question, position } = desk.dialog;
  if (!question) return undefined;
  switch (question.kind) {
    case 'edge': {
      const picked = pickOption(message, question.options);
      if (!picked) return `Please choose one:\n${numbered(question.options.map(({ label }) => label))}`;
      desk.dialog = { ...desk.dialog, question: undefined, wish: '' };
      yield* take(desk, picked.to, picked.label);
      return undefined;
    }
    case 'tool': {
      const options = question.options.map((name) => ({ label: wordsOf(name), name }));
      if (/^(?:none|skip|no|neither|continue|nothing)\b/i.test(message.trim())) {
        desk.dialog = { ...desk.dialog, question: undefined, handled: position?.id };
        return undefined;
      }
      const picked = pickOption(message, options);
      if (!picked) return `Please choose one:\n${numbered(options.map(({ label }) => label))}`;
      desk.dialog = { ...desk.dialog, question: undefined };
      return yield* use(desk, picked.name);
    }
    case 'argument': {
      const tool = desk.tools.find(({ name }) => name === question.tool);
      const property = (tool && propertiesOf(tool)[question.name]) ?? {};
      const value = readValue(message, property);
      if (value === undefined) return askFor(question.name, property);
      desk.dialog = { ...desk.dialog, question: undefined };
      hear(desk, { [question.name]: value });
      return tool ? yield* use(desk, tool.name) : undefined;
    }
    case 'again':
      desk.dialog = { ...desk.dialog, question: undefined, wish: message };
      yield* take(desk, desk.procedure.reentry[0] ?? desk.procedure.entry, undefined);
      return undefined;
  }
}

/** Walks until something must be asked or the procedure has come to an end. */
function* advance(desk: FollowerDesk): Plan<string> {
  for (let moves = 0; moves < maxMoves; moves++) {
    const { position } = desk.dialog;
    if (!position) {
      if (!(yield* take(desk, desk.procedure.entry, undefined))) return trouble(desk);
      continue;
    }
    const asked = (yield* useTools(desk, position)) ?? collect(desk, position);
    if (asked !== undefined) return say(desk, asked);
    if (position.edges.length === 0 || desk.procedure.terminals.includes(position.id))
      return yield* finish(desk, position);
    const next = choose(desk, position);
    if (!next) return say(desk, askEdge(desk, position));
    if (!(yield* take(desk, next.to, next.condition ?? undefined))) return trouble(desk);
  }
  return say(desk, 'This procedure goes round in circles; I stop here.');
}

function choose(desk: FollowerDesk, position: Position): Position['edges'][number] | undefined {
  const { edges } = position;
  if (edges.length === 1) return edges[0];
  const byFacts = edgeByFacts(position, everything(desk));
  if (byFacts) return byFacts;
  const labelled = edges.flatMap((edge) => (edge.condition === null ? [] : [{ label: edge.condition, edge }]));
  const byWords = desk.dialog.wish ? pickByWords(desk.dialog.wish, labelled) : undefined;
  if (byWords) desk.dialog = { ...desk.dialog, wish: '' };
  return byWords?.edge;
}

function askEdge(desk: FollowerDesk, { description, edges }: Position): string {
  const options = edges.map(({ condition, to }) => ({ label: condition ?? to, to }));
  desk.dialog = { ...desk.dialog, question: { kind: 'edge', options } };
  return `${description}\n${numbered(options.map(({ label }) => label))}`;
}

/** Moves along an edge; a branch chosen at a re-entry node is what is being worked on. */
function* take(desk: FollowerDesk, to: string, label: string | undefined): Plan<boolean> {
  const from = desk.dialog.position;
  const outcome = yield* callOne('goto_node', { node_id: to });
  const position = outcome.ok ? positionOf(outcome.data) : undefined;
  if (!position) return false;
  desk.dialog = { ...desk.dialog, position, handled: undefined };
  if (label !== undefined && from && desk.procedure.reentry.includes(from.id)) {
    desk.dialog = { ...desk.dialog, task: label };
    yield* callOne('todo', { todos: [{ content: label, status: 'in_progress' }] });
  }
  return true;
}

function* useTools(desk: FollowerDesk, position: Position): Plan<string | undefined> {
  if (desk.dialog.handled === position.id || /^collect\b/i.test(position.description)) return undefined;
  const usable = position.tools.filter((name) => desk.tools.some((tool) => tool.name === name));
  if (usable.length === 0) return undefined;
  if (usable.length === 1) return yield* use(desk, usable[0] ?? '');
  const ready = usable.filter((name) => isReady(desk, name));
  if (ready.length === 1) return yield* use(desk, ready[0] ?? '');
  desk.dialog = { ...desk.dialog, question: { kind: 'tool', options: usable } };
  return `${position.description}. Which way?\n${numbered(usable.map(wordsOf))}`;
}

function isReady(desk: FollowerDesk, name: string): boolean {
  const tool = desk.tools.find((one) => one.name === name);
  return tool !== undefined && argumentsFrom(tool, everything(desk)).missing === undefined;
}

/** Calls a tool, or asks for the first argument that is missing. Undefined when it was called and all is well. */
function* use(desk: FollowerDesk, name: string): Plan<string | undefined> {
  const tool = desk.tools.find((one) => one.name === name);
  if (!tool) return undefined;
  const { known, missing } = argumentsFrom(tool, everything(desk));
  if (missing !== undefined) {
    desk.dialog = { ...desk.dialog, question: { kind: 'argument', name: missing, tool: name } };
    return askFor(missing, propertiesOf(tool)[missing]);
  }
  const outcome = yield* callOne(name, known);
  tell(desk, outcome);
  if (outcome.ok) {
    desk.dialog = { ...desk.dialog, handled: desk.dialog.position?.id };
    return undefined;
  }
  // What was said does not lead anywhere: it is asked for anew.
  const used = Object.keys(known);
  const rest = Object.entries(desk.dialog.given).filter(([key]) => !used.includes(key));
  const asked = used.find((key) => key in desk.dialog.given) ?? used[0];
  desk.dialog = { ...desk.dialog, given: Object.fromEntries(rest) };
  if (asked === undefined) return 'Please try again later.';
  desk.dialog = { ...desk.dialog, question: { kind: 'argument', name: asked, tool: name } };
  return askFor(asked, propertiesOf(tool)[asked]);
}

/** "Collect: order_id, reason" names what a later tool will need. */
function collect(desk: FollowerDesk, position: Position): string | undefined {
  const list = /^collect:?\s+(.+)$/i.exec(position.description)?.[1];
  for (const name of list?.split(/\s*,\s*|\s+and\s+/) ?? []) {
    const key = plainName(name);
    const { given, facts } = desk.dialog;
    const isKnown = factOf(name, given) !== undefined || given[key] !== undefined;
    if (isKnown || (key.endsWith('_id') && factOf(name, facts) !== undefined)) continue;
    const tool = desk.tools.find((one) => key in propertiesOf(one));
    desk.dialog = { ...desk.dialog, question: { kind: 'argument', name: key, tool: undefined } };
    return askFor(key, tool && propertiesOf(tool)[key]);
  }
  return undefined;
}

function* finish(desk: FollowerDesk, position: Position): Plan<string> {
  const { task } = desk.dialog;
  if (task !== undefined) yield* callOne('todo', { todos: [{ content: task, status: 'completed' }] });
  desk.dialog = { ...desk.dialog, question: { kind: 'again' }, task: undefined };
  const isPlain = /^end\b/i.test(position.description);
  return say(desk, `${isPlain ? '' : `${position.description}.\n`}Is there anything else I can do for you?`);
}

function hear(desk: FollowerDesk, given: Readonly<Record<string, unknown>>): void {
  desk.dialog = { ...desk.dialog, given: { ...desk.dialog.given, ...given } };
}

function everything({ dialog }: FollowerDesk): Readonly<Record<string, unknown>> {
  return { ...dialog.facts, ...dialog.given };
}

/** Keeps what a tool found, and says it in a line. */
function tell(desk: FollowerDesk, { ok, data }: Outcome): void {
  if (!ok) {
    const message = typeof data['message'] === 'string' && data['message'].length < 200 ? data['message'] : undefined;
    desk.said.push(message ?? "I'm having trouble with that right now.");
    return;
  }
  const found = scalarsOf(data);
  desk.dialog = { ...desk.dialog, facts: { ...desk.dialog.facts, ...found } };
  const lines = Object.entries(found)
    .filter(([name]) => !/(?:^|_)id$/.test(name))
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${String(value)}`);
  if (lines.length > 0) desk.said.push(lines.slice(0, 8).join(', '));
}

function scalarsOf(data: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, string | number | boolean] =>
      ['string', 'number', 'boolean'].includes(typeof entry[1]),
    ),
  );
}

function say(desk: FollowerDesk, text: string): string {
  return [...desk.said.splice(0), text].join('\n');
}

function trouble(desk: FollowerDesk): string {
  return say(desk, "I'm having trouble following the procedure right now. Please try again.");
}

function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}

function numbered(labels: readonly string[]): string {
  return labels.map((label, index) => `${index + 1}. ${label}`).join('\n');
}
