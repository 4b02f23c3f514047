import { readCandidate, type Request, type Target, understand } from '../understanding/index.ts';
import type { OtherRequest } from '../understanding/index.ts';
import { explain, say } from './phrases.ts';
import { callOne, type Desk, type Plan } from './plan.ts';
import { planAdd } from './plan-add.ts';
import { planComplete, planDelete, planUpdate } from './plan-change.ts';
import { planList } from './plan-list.ts';
import { planAnswer } from './plan-pending.ts';
import { find } from './tasks.ts';

/** Answers one message. Everything it does to tasks, it asks for as tool calls. */
export function* planTurn(desk: Desk, message: string): Plan<string> {
  const requests = understand(message, desk.dates);
  const { pending } = desk.dialog;
  if (pending) {
    const answer = yield* planAnswer(desk, pending, message, requests);
    if (answer !== undefined) return answer;
  }
  if (
    desk.dialog.more &&
    /^(?:more|next|next page|continue|go on|keep going|and then|what else|yes|the rest)[\s.!?]*$/i.test(message.trim())
  ) {
    return yield* planList(desk, { intent: 'list', question: 'more', filter: {} });
  }
  // What must wait for a yes comes last, so that the rest is not held up by it.
  const ordered = [
    ...requests.filter(({ intent }) => intent !== 'delete'),
    ...requests.filter(({ intent }) => intent === 'delete'),
  ];
  for (const request of ordered) desk.said.push(yield* planRequest(desk, request));
  return desk.said.join('\n\n');
}

function* planRequest(desk: Desk, request: Request): Plan<string> {
  switch (request.intent) {
    case 'add':
      return yield* planAdd(desk, request);
    case 'list':
      return yield* planList(desk, request);
    case 'complete':
      return yield* planComplete(desk, request);
    case 'delete':
      return yield* planDelete(desk, request);
    case 'update':
      return yield* planUpdate(desk, request);
    case 'other':
      return yield* planOther(desk, request);
  }
}

function* planOther(desk: Desk, request: OtherRequest): Plan<string> {
  switch (request.topic) {
    case 'greeting':
      return say.hello;
    case 'thanks':
      return say.thanks;
    case 'farewell':
      return say.bye;
    case 'help':
      return say.help;
    case 'how-to':
      return explain(request.about);
    case 'private':
      return say.private;
    case 'negated':
      return say.leftAlone;
    case 'undo':
      return yield* undo(desk);
    case 'bare':
      return askAbout(desk, request.text);
    case 'foreign':
      return (yield* tryCandidate(desk, request)) ?? say.onlyTasks;
  }
}

/** "Cancel my flight" is about tasks only if one of them is called that. */
function* tryCandidate(desk: Desk, request: OtherRequest): Plan<string | undefined> {
  const meant = readCandidate(request, desk.dates);
  const target = meant && candidateTarget(meant);
  if (!target) return undefined;
  const found = yield* find(desk, target);
  return found.kind === 'tasks' || found.kind === 'several' ? yield* planRequest(desk, meant) : undefined;
}

function candidateTarget(request: Request): Target | undefined {
  if (request.intent === 'list' && request.name !== undefined) {
    return { kind: 'name', text: request.name, said: request.name, every: false };
  }
  if (!('target' in request) || request.target.kind !== 'name') return undefined;
  return { ...request.target, every: false };
}

/** A bare phrase: perhaps a new task, perhaps one that is there already. */
function askAbout(desk: Desk, text: string): string {
  const title = text.trim();
  desk.dialog = { ...desk.dialog, pending: { kind: 'add', task: { title } } };
  return say.askAdd(title);
}

function* undo(desk: Desk): Plan<string> {
  if (!desk.tools.has('undo_last_change')) return 'I cannot undo changes. You can tell me what to change back.';
  const outcome = yield* callOne('undo_last_change', {});
  if (outcome.ok)
    return `Done. ${typeof outcome.data['message'] === 'string' ? outcome.data['message'] : 'I took the last change back.'}`;
  if (outcome.code === 'NOTHING_TO_UNDO' || outcome.code === 'CANNOT_UNDO')
    return 'There is nothing that I could undo. A deleted task cannot be brought back.';
  return say.trouble;
}
