import type { Recorder, RunEvent } from '../events.ts';
import type { Redact } from '../redact.ts';

/** An event without what the log adds. */
export type EventBody = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, 'seq' | 'at'> : never) : never;

/** The events of one run: numbered, kept and passed on without secrets. */
export class EventLog {
  readonly #run: string;
  readonly #now: () => number;
  readonly #redact: Redact;
  readonly #recorder: Recorder | undefined;
  readonly #events: RunEvent[] = [];
  readonly #listeners = new Set<(event: RunEvent) => void>();
  #seq = 0;

  constructor(run: string, now: () => number, redact: Redact, recorder: Recorder | undefined) {
    this.#run = run;
    this.#now = now;
    this.#redact = redact;
    this.#recorder = recorder;
  }

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  subscribe(listener: (event: RunEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The whole event, with secrets: for the interpreter alone, which has to see it before `publish`. */
  create(body: EventBody): RunEvent {
    return { seq: this.#seq++, at: this.#now(), ...body } as RunEvent;
  }

  publish(event: RunEvent): void {
    const shown = this.#redact(event);
    this.#events.push(shown);
    this.#recorder?.append(this.#run, shown);
    for (const listener of this.#listeners) {
      try {
        listener(shown);
      } catch {
        // Who watches a run cannot break it.
      }
    }
  }

  /** Takes an event of the run this one was forked from; the next own event follows it. */
  adopt(event: RunEvent): void {
    this.#events.push(event);
    this.#seq = event.seq + 1;
  }

  continueAfter(seq: number): void {
    this.#seq = seq + 1;
  }
}
