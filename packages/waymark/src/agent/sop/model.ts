/** Where the conversation stands in its procedure, as goto_node last told it. */
export interface Position {
  readonly id: string;
  readonly type: string;
  readonly description: string;
  readonly prompt?: string;
  readonly tools: readonly string[];
  readonly edges: readonly { readonly to: string; readonly condition: string | null }[];
}

/** The procedure as load_graph told it. */
export interface Procedure {
  readonly agent: string;
  readonly entry: string;
  readonly reentry: readonly string[];
  readonly terminals: readonly string[];
  readonly systemPrompt: string;
}

/** A tool of the procedure's own servers. */
export interface ProcedureTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
}

export type Facts = Readonly<Record<string, unknown>>;

/** A question of the rule follower. */
export type Question =
  | { readonly kind: 'edge'; readonly options: readonly { readonly label: string; readonly to: string }[] }
  | { readonly kind: 'tool'; readonly options: readonly string[] }
  | { readonly kind: 'argument'; readonly name: string; readonly tool: string | undefined }
  | { readonly kind: 'again' };

/** What an SOP conversation remembers; it lives in the database with the conversation. */
export interface SopDialog {
  /** The handle of load_graph. */
  readonly handle: string | undefined;
  readonly position: Position | undefined;
  /** What tools found. */
  readonly facts: Facts;
  /** What the person said for the request at hand; it counts for more than what was found. */
  readonly given: Facts;
  readonly question: Question | undefined;
  /** What the person wants, in their words, until a branch has been chosen by it. */
  readonly wish: string;
  /** The node whose tools have been used or skipped. */
  readonly handled: string | undefined;
  /** What is being done, for the todo list. */
  readonly task: string | undefined;
}

export const emptySopDialog: SopDialog = {
  handle: undefined,
  position: undefined,
  facts: {},
  given: {},
  question: undefined,
  wish: '',
  handled: undefined,
  task: undefined,
};
