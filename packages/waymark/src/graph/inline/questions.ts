import type { Answer, Question } from '../events.ts';

interface Pending {
  readonly question: Question;
  readonly settle: (answer: Answer) => void;
}

/** The questions of a run that nobody has answered yet. */
export class Questions {
  readonly #pending = new Map<string, Pending>();
  readonly #onAsked: (question: Question) => void;
  readonly #onAnswered: (id: string, answer: Answer) => void;
  #count = 0;

  constructor(onAsked: (question: Question) => void, onAnswered: (id: string, answer: Answer) => void) {
    this.#onAsked = onAsked;
    this.#onAnswered = onAnswered;
  }

  list(): readonly Question[] {
    return [...this.#pending.values()].map(({ question }) => question);
  }

  ask(parts: Omit<Question, 'id'>, signal: AbortSignal): Promise<Answer> {
    const question = { id: `q${++this.#count}`, ...parts };
    return new Promise<Answer>((resolve, reject) => {
      const withdraw = () => {
        this.#pending.delete(question.id);
        reject(signal.reason as Error);
      };
      if (signal.aborted) return withdraw();
      signal.addEventListener('abort', withdraw, { once: true });
      const settle = (answer: Answer) => {
        signal.removeEventListener('abort', withdraw);
        resolve(answer);
      };
      this.#pending.set(question.id, { question, settle });
      this.#onAsked(question);
    });
  }

  answer(id: string, answer: Answer): boolean {
    const pending = this.#pending.get(id);
    if (!pending) return false;
    this.#pending.delete(id);
    this.#onAnswered(id, answer);
    pending.settle(answer);
    return true;
  }
}
