/** The parts of JSONata's syntax tree that are looked at here. */
export interface SyntaxNode {
  readonly type: string;
  readonly value?: unknown;
  readonly position?: number;
  readonly steps?: readonly SyntaxNode[];
  readonly expressions?: readonly SyntaxNode[];
  readonly expression?: SyntaxNode;
  readonly lhs?: SyntaxNode | readonly (readonly [SyntaxNode, SyntaxNode])[];
  readonly rhs?: SyntaxNode;
  readonly condition?: SyntaxNode;
  readonly then?: SyntaxNode;
  readonly else?: SyntaxNode;
  readonly procedure?: SyntaxNode;
  readonly arguments?: readonly SyntaxNode[];
}
