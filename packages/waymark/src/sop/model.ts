/** A place in the SOP file, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Something wrong with an SOP file, or doubtful in it. */
export interface Problem extends Position {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
}

export interface ModelSettings {
  readonly provider: string | null;
  readonly name: string | null;
  readonly temperature: number | null;
  readonly max_tokens: number | null;
}

/** A server the procedure's tools come from: one at a URL, or one started by a command. */
export interface McpServer {
  readonly name: string;
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export type Navigation = 'strict' | 'spec';
export type GateMode = 'off' | 'warn' | 'enforce';

export interface Example {
  readonly user: string;
  readonly agent: string;
}

export type FactValue = string | number | boolean;

/** A fact that must be on record: with any value, or with one of the values listed. */
export interface Requirement {
  readonly fact: string;
  readonly values?: readonly FactValue[];
}

export interface SopNode {
  readonly id: string;
  /** `rectangle`, `stadium`, `rhombus`, or mermaid's own name of another shape. */
  readonly type: string;
  readonly description: string;
  readonly group?: string;
  readonly prompt?: string;
  readonly tools?: readonly string[];
  readonly examples?: readonly Example[];
  /** What must be on record before this node may be entered. */
  readonly requires?: readonly Requirement[];
  readonly position: Position;
}

export interface SopEdge {
  readonly from: string;
  readonly to: string;
  readonly condition: string | null;
  readonly style: 'normal' | 'dotted' | 'thick';
  /** What must be on record before this edge may be taken. */
  readonly requires?: readonly Requirement[];
  readonly position: Position;
}

/** One procedure, parsed and checked. Never changes: an edited file is another SOP with another hash. */
export interface Sop {
  readonly agent: string;
  readonly version: string | null;
  readonly hash: string;
  readonly entry: string;
  /** Nodes that stay open from everywhere once they were reached. */
  readonly reentry: readonly string[];
  readonly navigation: Navigation | undefined;
  readonly gate: GateMode | undefined;
  readonly alwaysAllowed: readonly string[];
  readonly model: ModelSettings | null;
  readonly mcpServers: readonly McpServer[];
  /** Undefined where the frontmatter lists none, so that there is nothing to check against. */
  readonly tools: readonly string[] | undefined;
  readonly nodes: ReadonlyMap<string, SopNode>;
  /** Outgoing edges of each node, in file order. Every node has an entry. */
  readonly edges: ReadonlyMap<string, readonly SopEdge[]>;
  readonly decisionNodes: readonly string[];
  readonly terminalNodes: readonly string[];
  readonly nodesWithPrompts: readonly string[];
  readonly sections: readonly string[];
  readonly systemPrompt: string;
  readonly mermaid: string;
}
