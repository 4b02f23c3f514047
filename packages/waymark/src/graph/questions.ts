import { inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server';
import type { Context } from '../kit/index.ts';
import type { RunHandle } from './engine.ts';
import type { Answer, Question } from './events.ts';

const separator = '.';

/** Which run and question an answer of the client belongs to: the key it was asked under says so. */
export function answersIn(context: Context): { run: string; question: string; answer: Answer }[] {
  return Object.entries(context.answers ?? {}).flatMap(([key, given]) => {
    const at = key.lastIndexOf(separator);
    const answer = toAnswer(given);
    return at > 0 && answer ? [{ run: key.slice(0, at), question: key.slice(at + 1), answer }] : [];
  });
}

/** The questions of a run, to be put to the person by the client. */
export function askClient(handle: RunHandle): InputRequiredResult {
  const entries = handle.questions().map((question) => [`${handle.id}${separator}${question.id}`, elicit(question)]);
  return inputRequired({ inputRequests: Object.fromEntries(entries) as Record<string, ReturnType<typeof elicit>> });
}

function elicit({ kind, message, form }: Question) {
  const approve = { type: 'boolean', title: 'Approve', default: true };
  const schema = form ?? (kind === 'approve' ? { type: 'object', properties: { approved: approve } } : undefined);
  return inputRequired.elicit({
    message,
    requestedSchema: (schema ?? { type: 'object', properties: {} }) as {
      type: 'object';
      properties: Record<string, never>;
    },
  });
}

function toAnswer(given: unknown): Answer | undefined {
  const { action, content } = (given ?? {}) as { action?: unknown; content?: unknown };
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return undefined;
  const isForm = typeof content === 'object' && content !== null;
  return { action, ...(isForm ? { content: content as Record<string, unknown> } : {}) };
}
