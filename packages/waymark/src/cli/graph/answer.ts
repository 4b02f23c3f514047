import { createInterface } from 'node:readline/promises';
import type { RunHandle } from '../../graph/engine.ts';
import type { Answer, Question } from '../../graph/events.ts';

export type ApprovalFlag = 'yes' | 'no';

/** Answers the questions of a run: as the flag says, at the terminal, or with a refusal where nobody is there. */
export function answerQuestions(handle: RunHandle, flag: ApprovalFlag | undefined): { stop(): void } {
  const asked = new Set<string>();
  const controller = new AbortController();
  const look = () => {
    for (const question of handle.questions()) {
      if (asked.has(question.id)) continue;
      asked.add(question.id);
      void decide(question, flag, controller.signal).then((answer) => handle.answer(question.id, answer));
    }
  };
  const unsubscribe = handle.subscribe((event) => {
    if (event.type === 'question-asked') look();
  });
  look();
  return {
    stop() {
      unsubscribe();
      controller.abort();
    },
  };
}

async function decide(question: Question, flag: ApprovalFlag | undefined, signal: AbortSignal): Promise<Answer> {
  if (flag !== undefined) return { action: flag === 'yes' ? 'accept' : 'decline', by: 'command line' };
  if (!process.stdin.isTTY) return { action: 'decline', by: 'nobody is at the terminal' };
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await terminal.question(`${question.message} [y/N] `, { signal });
    return { action: /^y(es)?$/i.test(typed.trim()) ? 'accept' : 'decline', by: 'terminal' };
  } catch {
    return { action: 'cancel' };
  } finally {
    terminal.close();
  }
}
