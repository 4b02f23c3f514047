import type { GraphNode, NodeList } from '../model.ts';
import { type Edge, edgesOf } from '../targets.ts';

export interface Box {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** What is inside a `foreach`, in its own coordinates. */
  readonly inner: Layout | undefined;
}

export interface Line {
  readonly from: Box;
  readonly to: Box;
  readonly edge: Edge;
  /** Leads back up: part of a loop. */
  readonly isBack: boolean;
}

export interface Layout {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

const size = { width: 210, height: 54, gapX: 36, gapY: 56, padding: 20, title: 46 };

/** Places nodes in rows: every node below those that lead to it, loops aside. */
export function layOut(body: NodeList): Layout {
  const ranks = rankNodes(body);
  const rows: string[][] = [];
  for (const [id, rank] of ranks) (rows[rank] ??= []).push(id);
  sortRows(rows, body);
  const inner = new Map<string, Layout>();
  for (const node of body.nodes.values()) if (node.type === 'foreach') inner.set(node.id, layOut(node.body));
  const widthOf = (id: string) =>
    Math.max(size.width, (inner.get(id)?.width ?? 0) + (inner.has(id) ? 2 * size.padding : 0));
  const heightOf = (id: string) =>
    inner.has(id) ? (inner.get(id)?.height ?? 0) + size.title + size.padding : size.height;
  const rowWidth = (row: string[]) => row.reduce((sum, id) => sum + widthOf(id) + size.gapX, -size.gapX);
  const width = Math.max(size.width, ...rows.map(rowWidth));

  const boxes = new Map<string, Box>();
  let y = 0;
  for (const row of rows) {
    let x = (width - rowWidth(row)) / 2;
    for (const id of row) {
      const node = body.nodes.get(id);
      if (node) boxes.set(id, { node, x, y, width: widthOf(id), height: heightOf(id), inner: inner.get(id) });
      x += widthOf(id) + size.gapX;
    }
    y += Math.max(size.height, ...row.map(heightOf)) + size.gapY;
  }
  return { boxes: [...boxes.values()], lines: linesBetween(boxes, ranks), width, height: Math.max(0, y - size.gapY) };
}

/** The longest way from the start without going round a loop; nodes nothing leads to come last. */
function rankNodes(body: NodeList): Map<string, number> {
  const ranks = new Map<string, number>();
  const order = new Map<string, string[]>();
  const back = new Set<string>();
  const open = new Set<string>();
  const done: string[] = [];
  const visit = (id: string): void => {
    const node = body.nodes.get(id);
    if (!node || order.has(id)) return;
    const targets = edgesOf(node).map((edge) => edge.target);
    order.set(id, targets);
    open.add(id);
    for (const target of targets) {
      if (open.has(target)) back.add(`${id} ${target}`);
      else visit(target);
    }
    open.delete(id);
    done.push(id);
  };
  visit(body.start);
  for (const id of body.nodes.keys()) visit(id);
  for (const id of done.toReversed()) {
    const rank = ranks.get(id) ?? 0;
    ranks.set(id, rank);
    for (const target of order.get(id) ?? []) {
      if (!back.has(`${id} ${target}`) && body.nodes.has(target))
        ranks.set(target, Math.max(ranks.get(target) ?? 0, rank + 1));
    }
  }
  return ranks;
}

/** Puts every node below the middle of those that lead to it. */
function sortRows(rows: string[][], body: NodeList): void {
  const sources = new Map<string, string[]>();
  for (const node of body.nodes.values()) {
    for (const { target } of edgesOf(node)) sources.set(target, [...(sources.get(target) ?? []), node.id]);
  }
  for (let sweep = 0; sweep < 4; sweep++) {
    const place = new Map<string, number>();
    for (const row of rows) {
      const wanted = (id: string) => {
        const above = (sources.get(id) ?? []).flatMap((source) => place.get(source) ?? []);
        return above.length === 0 ? 0.5 : above.reduce((sum, value) => sum + value, 0) / above.length;
      };
      const keyed = row.map((id) => ({ id, key: wanted(id) })).toSorted((left, right) => left.key - right.key);
      for (const [index, { id }] of keyed.entries()) {
        row[index] = id;
        place.set(id, (index + 1) / (row.length + 1));
      }
    }
  }
}

function linesBetween(boxes: ReadonlyMap<string, Box>, ranks: ReadonlyMap<string, number>): Line[] {
  const lines: Line[] = [];
  for (const from of boxes.values()) {
    for (const edge of edgesOf(from.node)) {
      const to = boxes.get(edge.target);
      if (to) lines.push({ from, to, edge, isBack: (ranks.get(edge.target) ?? 0) <= (ranks.get(from.node.id) ?? 0) });
    }
  }
  return lines;
}
