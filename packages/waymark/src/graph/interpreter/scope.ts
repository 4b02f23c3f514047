import type { ExpressionScope } from '../expressions/scope.ts';
import type { GraphDocument, GraphTool, NodeList } from '../model.ts';
import type { Chain } from './chain.ts';
import type { Token } from './state.ts';

/** One run through a list of nodes: a tool's graph, a called tool's graph, or one iteration of a `foreach`. */
export class Scope {
  readonly document: GraphDocument;
  readonly tool: GraphTool;
  readonly body: NodeList;
  readonly path: string;
  /** What waits for this scope to end; undefined for the run itself. */
  readonly owner: Token | undefined;
  /** The scope whose outputs are visible here too. */
  readonly parent: Scope | undefined;
  /** Which iteration this is. */
  readonly index: number;
  readonly callDepth: number;
  /** Latest output by node id. Without prototype, so that ids such as `constructor` are safe. */
  readonly context: Record<string, unknown>;
  readonly tokens = new Set<Token>();
  /** The arguments the entry hands on. */
  input: unknown;
  readonly #outputs = new Map<string, OutputList>();

  constructor(parts: {
    document: GraphDocument;
    tool: GraphTool;
    body: NodeList;
    path: string;
    owner?: Token;
    parent?: Scope;
    index?: number;
    callDepth?: number;
  }) {
    this.document = parts.document;
    this.tool = parts.tool;
    this.body = parts.body;
    this.path = parts.path;
    this.owner = parts.owner;
    this.parent = parts.parent;
    this.index = parts.index ?? 0;
    this.callDepth = parts.callDepth ?? 0;
    this.context = Object.assign(Object.create(null) as Record<string, unknown>, parts.parent?.context);
  }

  record(node: string, output: unknown): void {
    this.context[node] = output;
    const list = this.#outputs.get(node);
    if (list) list.push(output);
    else this.#outputs.set(node, new OutputList(output));
  }

  replaceLatest(node: string, output: unknown): void {
    this.context[node] = output;
    const list = this.#outputs.get(node);
    if (list) list.replaceLast(output);
    else this.#outputs.set(node, new OutputList(output));
  }

  count(node: string): number {
    return this.#listOf(node)?.values.length ?? 0;
  }

  execution(node: string, index: number): unknown {
    return this.#listOf(node)?.values.at(index);
  }

  executions(node: string): readonly unknown[] {
    return this.#listOf(node)?.share() ?? [];
  }

  #listOf(node: string): OutputList | undefined {
    const own = this.#outputs.get(node);
    if (own || this.parent === undefined || this.body.nodes.has(node)) return own;
    return this.parent.#listOf(node);
  }
}

/** The outputs of one node in order. Handed out as it is; copied only when it then has to grow. */
class OutputList {
  #values: unknown[];
  #isShared = false;

  constructor(first: unknown) {
    this.#values = [first];
  }

  get values(): readonly unknown[] {
    return this.#values;
  }

  share(): readonly unknown[] {
    this.#isShared = true;
    return this.#values;
  }

  push(value: unknown): void {
    this.#own();
    this.#values.push(value);
  }

  replaceLast(value: unknown): void {
    this.#own();
    this.#values[this.#values.length - 1] = value;
  }

  #own(): void {
    if (this.#isShared) this.#values = [...this.#values];
    this.#isShared = false;
  }
}

/** What the expressions of a node see, given where its line of execution stands. */
export class TokenScope implements ExpressionScope {
  readonly #scope: Scope;
  readonly #chain: Chain;

  constructor(scope: Scope, chain: Chain) {
    this.#scope = scope;
    this.#chain = chain;
  }

  get context(): Readonly<Record<string, unknown>> {
    return this.#scope.context;
  }

  get constants(): Readonly<Record<string, unknown>> {
    return this.#scope.document.constants;
  }

  previous(steps: number): unknown {
    return this.#chain.previous(steps);
  }

  count(node: string): number {
    return this.#scope.count(node);
  }

  execution(node: string, index: number): unknown {
    return this.#scope.execution(node, index);
  }

  executions(node: string): readonly unknown[] {
    return this.#scope.executions(node);
  }
}
