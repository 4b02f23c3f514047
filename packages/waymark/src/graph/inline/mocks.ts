import type { Mock } from '../engine.ts';
import type { RunError, RunEvent } from '../events.ts';
import type { NodeType } from '../model.ts';

export type Substitute =
  | { readonly output: unknown }
  | {
      readonly error: {
        readonly code?: string;
        readonly message: string;
        readonly details?: Readonly<Record<string, unknown>>;
      };
    };

/** What a recorded run cannot compute again: answers of servers and people, and the time. */
const recordedTypes = new Set<NodeType>(['mcp', 'wait', 'approve']);

/** What stands in for nodes: mocks by node id, and the recorded outcomes of an earlier run. */
export class Mocks {
  readonly #mocks: Readonly<Record<string, Mock>>;
  readonly #recorded: ReadonlyMap<string, Substitute[]> | undefined;
  readonly #taken = new Map<string, number>();

  constructor(mocks: Readonly<Record<string, Mock>>, recording?: readonly RunEvent[]) {
    this.#mocks = mocks;
    this.#recorded = recording && readRecording(recording);
  }

  get isReplay(): boolean {
    return this.#recorded !== undefined;
  }

  /** What replaces this execution of the node, if anything does. The last of several outputs stays. */
  take(node: string, type: NodeType, path: string): Substitute | undefined {
    const mock = Object.hasOwn(this.#mocks, node) ? this.#mocks[node] : undefined;
    if (mock && 'outputs' in mock) return { output: this.#nth(node, mock.outputs) };
    if (mock) return mock;
    if (!this.#recorded || !recordedTypes.has(type)) return undefined;
    const answer = this.#recorded.get(`${path} ${node}`)?.shift();
    return answer ?? { error: { code: 'NOT_RECORDED', message: `The recorded run did not execute node ${node} here` } };
  }

  #nth(node: string, outputs: readonly unknown[]): unknown {
    const count = this.#taken.get(node) ?? 0;
    this.#taken.set(node, count + 1);
    return outputs[Math.min(count, outputs.length - 1)];
  }
}

function readRecording(events: readonly RunEvent[]): Map<string, Substitute[]> {
  const answers = new Map<string, Substitute[]>();
  const add = (path: string, node: string, answer: Substitute) => {
    const list = answers.get(`${path} ${node}`);
    if (list) list.push(answer);
    else answers.set(`${path} ${node}`, [answer]);
  };
  for (const event of events) {
    if ((event.type !== 'node-ended' && event.type !== 'node-retried') || !recordedTypes.has(event.nodeType)) continue;
    const error: RunError | undefined = event.error;
    if (error) add(event.path, event.node, { error });
    else if (event.type === 'node-ended') add(event.path, event.node, { output: event.output });
  }
  return answers;
}
