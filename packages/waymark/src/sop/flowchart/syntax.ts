/** Half-open range of offsets into the text that was given to the parser. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export type LabelForm = 'plain' | 'quoted' | 'markdown';

/** A label as written. `range` covers exactly its characters, without quotes. */
export interface LabelSyntax {
  readonly form: LabelForm;
  readonly text: string;
  readonly range: Range;
}

/** The `@{ … }` behind a node or edge id. `values` holds what its YAML says. */
export interface AttributesSyntax {
  readonly values: Readonly<Record<string, unknown>>;
  readonly range: Range;
}

/** One mention of a node: its id and what the mention adds. */
export interface NodeSyntax {
  readonly id: string;
  readonly idRange: Range;
  readonly shape: NodeShape | undefined;
  readonly label: LabelSyntax | undefined;
  readonly className: string | undefined;
  readonly attributes: AttributesSyntax | undefined;
  readonly range: Range;
}

/** Mermaid's own names of the bracketed shapes. */
export type NodeShape =
  | 'square'
  | 'round'
  | 'stadium'
  | 'subroutine'
  | 'cylinder'
  | 'circle'
  | 'doublecircle'
  | 'ellipse'
  | 'odd'
  | 'diamond'
  | 'hexagon'
  | 'lean_right'
  | 'lean_left'
  | 'trapezoid'
  | 'inv_trapezoid'
  | 'rect';

export type Stroke = 'normal' | 'thick' | 'dotted' | 'invisible';
export type ArrowHead = 'point' | 'circle' | 'cross' | 'none';

export interface LinkSyntax {
  readonly id: string | undefined;
  readonly stroke: Stroke;
  readonly head: ArrowHead;
  /** The same head at both ends, as in `<-->`. */
  readonly bothWays: boolean;
  /** The two halves of `x-- text -->` contradict each other; mermaid draws such a link without a head. */
  readonly mismatched: boolean;
  readonly label: LabelSyntax | undefined;
  readonly range: Range;
}

/** `A & B --> C --> D`: groups of nodes with one link between neighbours. */
export interface ChainSyntax {
  readonly kind: 'chain';
  readonly groups: readonly (readonly NodeSyntax[])[];
  readonly links: readonly LinkSyntax[];
  readonly range: Range;
}

export interface SubgraphSyntax {
  readonly kind: 'subgraph';
  /** Undefined where the title has spaces and no id of its own. */
  readonly id: string | undefined;
  readonly title: string;
  readonly body: readonly StatementSyntax[];
  readonly range: Range;
}

/** What changes only the picture. `ids` are the nodes it names. */
export interface DecorationSyntax {
  readonly kind: 'style' | 'linkStyle' | 'classDef' | 'class' | 'click' | 'direction' | 'accessibility';
  readonly ids: readonly string[];
  readonly range: Range;
}

export type StatementSyntax = ChainSyntax | SubgraphSyntax | DecorationSyntax;

export interface FlowchartSyntax {
  readonly header: Range;
  readonly direction: string;
  readonly statements: readonly StatementSyntax[];
}

/** What kind of mistake it is, where that is known: some can be repaired without guessing. */
export type SyntaxCode = 'MERMAID_SYNTAX' | 'RESERVED_ID' | 'TRAILING_COMMENT' | 'BLANK_BEFORE_SHAPE';

export interface SyntaxProblem {
  readonly code: SyntaxCode;
  readonly offset: number;
  readonly message: string;
}
