import { readFlowchart } from './flowchart.ts';

/** What a flowchart means, in the form both parsers can be brought to. */
export type Meaning =
  | {
      readonly nodes: readonly (readonly [id: string, shape: string | null, label: string])[];
      readonly edges: readonly (readonly [
        from: string,
        to: string,
        label: string | null,
        stroke: string,
        arrow: string,
      ])[];
      readonly groups: readonly (readonly [id: string, title: string, members: readonly string[]])[];
    }
  | 'illegal';

export function ourMeaning(source: string): Meaning {
  const { nodes, edges, groups, problems } = readFlowchart(source);
  if (problems.length > 0) return 'illegal';
  const arrows = { point: 'arrow_point', circle: 'arrow_circle', cross: 'arrow_cross', none: 'arrow_open' };
  return {
    nodes: [...nodes.values()].map(({ id, shape, label }) => [id, shape ?? null, label]),
    edges: edges.map(({ from, to, label, stroke, head, bothWays, mismatched }) => [
      from,
      to,
      label ?? null,
      mismatched ? 'INVALID' : stroke,
      mismatched ? 'INVALID' : `${bothWays ? 'double_' : ''}${arrows[head]}`,
    ]),
    groups: groups.map(({ id, title, members }) => [id, title, members.toSorted()]),
  };
}

interface MermaidDatabase {
  getVertices(): Map<string, { id: string; type?: string; text: string }>;
  getEdges(): { start: string; end: string; text: string; stroke: string; type: string }[];
  getSubGraphs(): { id: string; title: string; nodes: string[] }[];
}

/** Mermaid itself, without a browser: what it needs one for does nothing. */
export async function loadMermaid(): Promise<(source: string) => Promise<Meaning>> {
  const { default: purify } = (await import('dompurify' as string)) as { default: Record<string, unknown> };
  purify['addHook'] = () => {};
  purify['sanitize'] = (text: unknown) => text;
  const { default: mermaid } = await import('mermaid');
  mermaid.initialize({ maxTextSize: 1e6, maxEdges: 1e5, securityLevel: 'loose', logLevel: 5 });
  return async (source) => {
    try {
      const diagram = await mermaid.mermaidAPI.getDiagramFromText(source);
      return meaningOf(diagram.db as unknown as MermaidDatabase, source);
    } catch {
      return 'illegal';
    }
  };
}

function meaningOf(database: MermaidDatabase, source: string): Meaning {
  // Mermaid makes a node of whatever `style` names; here decoration never does.
  const styled = new Set([...source.matchAll(/\bstyle (\S+) /g)].flatMap(([, ids = '']) => ids.split(',')));
  const ours = ourMeaning(source);
  const drawn = new Set(ours === 'illegal' ? [] : ours.nodes.map(([id]) => id));
  const order = new Map([...drawn].map((id, index) => [id, index]));
  const vertices = [...database.getVertices().values()]
    .filter(({ id }) => !styled.has(id) || drawn.has(id))
    .toSorted((left, right) => (styled.size > 0 ? (order.get(left.id) ?? 0) - (order.get(right.id) ?? 0) : 0));
  const known = new Set([...vertices.map(({ id }) => id), ...database.getSubGraphs().map(({ id }) => id)]);
  return {
    nodes: vertices.map(({ id, type, text }) => [id, type ?? null, decode(String(text))]),
    edges: database
      .getEdges()
      .map(({ start, end, text, stroke, type }) => [start, end, decode(text) || null, stroke, type]),
    groups: database.getSubGraphs().map(({ id, title, nodes }) => {
      // Inside a subgraph mermaid also counts separators and accessible texts as members.
      return [id, decode(title), nodes.filter((member) => known.has(member)).toSorted()];
    }),
  };
}

function decode(text: string): string {
  const named: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", nbsp: '\u00a0' };
  return text
    .replace(/ﬂ°°(\d+)¶ß/g, (_match, code: string) => String.fromCodePoint(Number(code)))
    .replace(/ﬂ°(\w+)¶ß/g, (_match, name: string) => named[name] ?? `#${name};`);
}
