import { parseFlowchart } from './parser.ts';
import type {
  ArrowHead,
  ChainSyntax,
  DecorationSyntax,
  FlowchartSyntax,
  LabelForm,
  LinkSyntax,
  NodeSyntax,
  Range,
  StatementSyntax,
  Stroke,
  SyntaxProblem,
} from './syntax.ts';

export interface FlowNode {
  readonly id: string;
  /** Mermaid's name of the shape: of the brackets, or the name in `@{ shape: … }`. */
  readonly shape: string | undefined;
  readonly label: string;
  readonly labelForm: LabelForm | undefined;
  /** The innermost subgraph that mentions the node first. */
  readonly group: string | undefined;
  /** Every mention in the text, in order. */
  readonly mentions: readonly NodeSyntax[];
}

export interface FlowEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string | undefined;
  readonly stroke: Stroke;
  readonly head: ArrowHead;
  readonly bothWays: boolean;
  readonly mismatched: boolean;
  readonly link: LinkSyntax;
  readonly range: Range;
}

export interface FlowGroup {
  readonly id: string;
  readonly title: string;
  readonly members: readonly string[];
  readonly parent: string | undefined;
  readonly range: Range;
}

export interface Flowchart {
  readonly direction: string;
  readonly nodes: ReadonlyMap<string, FlowNode>;
  readonly edges: readonly FlowEdge[];
  readonly groups: readonly FlowGroup[];
  readonly syntax: FlowchartSyntax;
  readonly problems: readonly SyntaxProblem[];
}

/** Parses a flowchart and works out what its statements mean together. */
export function readFlowchart(source: string): Flowchart {
  const { syntax, problems } = parseFlowchart(source);
  const reader = new Reader();
  for (const statement of syntax.statements) reader.read(statement);
  return { direction: syntax.direction, ...reader.result(), syntax, problems: [...problems, ...reader.problems] };
}

type Draft<T> = { -readonly [Key in keyof T]: T[Key] };

const mostEdges = 10_000;

class Reader {
  readonly #nodes = new Map<string, Draft<FlowNode> & { mentions: NodeSyntax[] }>();
  readonly #edges: FlowEdge[] = [];
  readonly #edgeIds = new Set<string>();
  readonly #groups: (Draft<FlowGroup> & { members: string[] })[] = [];
  readonly #open: (Draft<FlowGroup> & { members: string[] })[] = [];
  readonly problems: SyntaxProblem[] = [];
  #subgraphs = 0;
  #isFull = false;

  result(): Pick<Flowchart, 'nodes' | 'edges' | 'groups'> {
    return { nodes: this.#nodes, edges: this.#edges, groups: this.#groups };
  }

  read(statement: StatementSyntax): void {
    if (statement.kind === 'chain') return this.#readChain(statement);
    if (statement.kind === 'linkStyle') return this.#checkLinkNumbers(statement);
    if (statement.kind !== 'subgraph') return;
    const group = {
      id: statement.id ?? '',
      title: statement.title,
      members: [],
      parent: undefined,
      range: statement.range,
    } as Draft<FlowGroup> & { members: string[] };
    this.#open.push(group);
    for (const inner of statement.body) this.read(inner);
    this.#open.pop();
    // Unnamed subgraphs are numbered in the order in which they are closed, as mermaid does.
    if (group.id === '') group.id = `subGraph${this.#subgraphs}`;
    this.#subgraphs++;
    group.members = group.members.filter((id) => !this.#groups.some((other) => other.members.includes(id)));
    for (const id of group.members) {
      const node = this.#nodes.get(id);
      if (node) node.group ??= group.id;
      const inner = this.#groups.find((other) => other.id === id);
      if (inner) inner.parent ??= group.id;
    }
    this.#groups.push(group);
    this.#remember(group.id);
  }

  #checkLinkNumbers({ ids, range }: DecorationSyntax): void {
    const beyond = ids.find((id) => id !== 'default' && Number(id) >= this.#edges.length);
    if (beyond === undefined) return;
    const message = `linkStyle names edge ${beyond}, but only ${this.#edges.length} edges stand above it`;
    this.problems.push({ code: 'MERMAID_SYNTAX', offset: range.start, message });
  }

  #readChain({ groups, links }: ChainSyntax): void {
    for (const [position, members] of groups.entries()) {
      for (const member of members) this.#mention(member);
      const link = links[position - 1];
      const sources = groups[position - 1];
      if (link && sources) this.#connect(sources, members, link);
    }
  }

  #connect(sources: readonly NodeSyntax[], targets: readonly NodeSyntax[], link: LinkSyntax): void {
    const { stroke, head, bothWays, mismatched } = link;
    if (link.id !== undefined) this.#edgeIds.add(link.id);
    if (this.#edges.length + sources.length * targets.length > mostEdges) {
      if (this.#isFull) return;
      this.#isFull = true;
      const message = `the flowchart has more than ${mostEdges} edges`;
      this.problems.push({ code: 'MERMAID_SYNTAX', offset: link.range.start, message });
      return;
    }
    for (const { id: from } of sources) {
      for (const { id: to } of targets) {
        const label = link.label?.text || undefined;
        this.#edges.push({ from, to, label, stroke, head, bothWays, mismatched, link, range: link.range });
      }
    }
  }

  #mention(mention: NodeSyntax): void {
    const { id, shape, label, attributes } = mention;
    this.#remember(id);
    if (this.#edgeIds.has(id)) return;
    let node = this.#nodes.get(id);
    if (!node) {
      node = { id, shape: undefined, label: id, labelForm: undefined, group: undefined, mentions: [] };
      this.#nodes.set(id, node);
    }
    node.mentions.push(mention);
    if (label) {
      node.label = label.text;
      node.labelForm = label.form;
    }
    if (shape) node.shape = shape;
    const { shape: named, label: text, icon, img } = attributes?.values ?? {};
    if (typeof named === 'string' && named) node.shape = named;
    if (text) node.label = String(text as string | number);
    else if ((icon || img) && node.label === id) node.label = '';
  }

  #remember(id: string): void {
    const group = this.#open.at(-1);
    if (group && !group.members.includes(id)) group.members.push(id);
  }
}
