import type { Held } from './conversation-store.ts';
import type { Item } from './loop.ts';
import { type DateContext, readConfirmation, understand } from './understanding/index.ts';

/** What becomes of calls that wait for a yes. */

export function titlesOf({ calls }: Pick<Held, 'calls'>): string[] {
  return calls.map(({ title }) => title);
}

/** What a model must know of calls that never ran. */
export function declined({ calls }: Held): Item[] {
  return calls.flatMap(({ callId, tool, arguments: args }) => [
    { kind: 'call' as const, id: callId, name: tool, arguments: args },
    {
      kind: 'result' as const,
      id: callId,
      name: tool,
      output: '{"success":false,"error":{"code":"DECLINED","message":"The person did not confirm. Nothing was done."}}',
    },
  ]);
}

/** What a message does to calls that wait. */
export type Decision =
  | { readonly kind: 'approve'; readonly further?: string }
  | { readonly kind: 'keep' }
  | { readonly kind: 'ask-again' }
  /** Something else is wanted: the calls lapse. */
  | { readonly kind: 'lapse' };

/** Only a clear yes approves; any negation keeps; another request lets the question lapse. */
export function decide(message: string, { asked }: Held, dates: DateContext): Decision {
  const verdict = readConfirmation(message);
  if (verdict === 'yes') return { kind: 'approve' };
  const further = verdict === 'unclear' ? yesAndMore(message) : undefined;
  if (further !== undefined && isNewRequest(further, dates)) return { kind: 'approve', further };
  const isRefusal = verdict === 'no' && isOnlyRefusal(message, dates);
  if (!isRefusal && isNewRequest(message, dates)) return { kind: 'lapse' };
  return verdict === 'unclear' && asked < 2 ? { kind: 'ask-again' } : { kind: 'keep' };
}

function isNewRequest(message: string, dates: DateContext): boolean {
  return understand(message, dates).some(({ intent }) => intent !== 'other');
}

/** "No, keep it" and "don't delete it" hold no request beyond the refusal. */
function isOnlyRefusal(message: string, dates: DateContext): boolean {
  const rest = message.replace(/^\s*(?:no|nope|nah|cancel|stop|wait)\b[\s,.!-]*/i, '');
  return rest === '' || !isNewRequest(rest, dates) || /^(?:don'?t|do not|keep|leave|never)\b/i.test(rest);
}

/** "Yes, and show my list": the part after the yes. */
function yesAndMore(message: string): string | undefined {
  const match =
    /^(.{2,40}?)(?:\s*,\s*(?:and\s+|then\s+|also\s+)?|\s+and\s+(?:then\s+|also\s+)?|\s*\.\s+|\s+then\s+)(.+)$/i.exec(
      message.trim(),
    );
  if (!match?.[1] || !match[2] || /\b(?:but|except|instead|unless|if|not|don'?t)\b/i.test(message)) return undefined;
  return readConfirmation(match[1]) === 'yes' ? match[2] : undefined;
}
