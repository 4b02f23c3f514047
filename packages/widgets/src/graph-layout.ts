import type { Graph } from './graph-model.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

const spacing = 84;
const reach = spacing * 2.2;
const golden = Math.PI * (3 - Math.sqrt(5));

/**
 * Places nodes so that linked ones stand together and none on another. Forces reach only as far as the
 * neighbouring cells of a grid, so that the work grows with the number of nodes. The same graph is
 * always placed the same way.
 */
export function placeNodes({ nodes, edges }: Graph): readonly Point[] {
  const count = nodes.length;
  const index = new Map(nodes.map(({ id }, at) => [id, at]));
  const links = edges.flatMap(({ from, to, type }) => {
    const [a, b] = [index.get(from), index.get(to)];
    return a === undefined || b === undefined || a === b ? [] : [{ a, b, length: type === 'requires' ? 1.25 : 1 }];
  });
  const xs = new Float64Array(count);
  const ys = new Float64Array(count);
  start({ nodes, edges }, index, xs, ys);

  const rounds = count <= 150 ? 240 : count <= 1000 ? 60 : 15;
  const pushX = new Float64Array(count);
  const pushY = new Float64Array(count);
  for (let round = 0; round < rounds; round += 1) {
    const heat = spacing * 0.35 * (1 - round / rounds) + 0.5;
    pushX.fill(0);
    pushY.fill(0);
    repel(xs, ys, pushX, pushY);
    for (const { a, b, length } of links) {
      const dx = xs[b]! - xs[a]!;
      const dy = ys[b]! - ys[a]!;
      const distance = Math.hypot(dx, dy) || 1;
      const pull = ((distance - spacing * length) / distance) * 0.16;
      pushX[a]! += dx * pull;
      pushY[a]! += dy * pull;
      pushX[b]! -= dx * pull;
      pushY[b]! -= dy * pull;
    }
    for (let at = 0; at < count; at += 1) {
      const dx = pushX[at]! - xs[at]! * 0.012;
      const dy = pushY[at]! - ys[at]! * 0.012;
      const length = Math.hypot(dx, dy);
      const step = length > heat ? heat / length : 1;
      xs[at]! += dx * step;
      ys[at]! += dy * step;
    }
  }
  return nodes.map((_, at) => ({ x: xs[at]!, y: ys[at]! }));
}

/** Goals on a circle, their ideas in a spiral around them, everything else in a spiral outside. */
function start({ nodes, edges }: Graph, index: ReadonlyMap<string, number>, xs: Float64Array, ys: Float64Array): void {
  const outcomes = nodes.filter(({ kind }) => kind === 'outcome');
  const ring = outcomes.length < 2 ? 0 : spacing * Math.sqrt(nodes.length) * 0.55;
  const home = new Map<string, string>();
  for (const { from, to, type } of edges) if (type === 'requires' && !home.has(to)) home.set(to, from);
  const places = new Map(
    outcomes.map(({ id }, at) => {
      const angle = (at / outcomes.length) * 2 * Math.PI - Math.PI / 2;
      return [id, { x: Math.cos(angle) * ring, y: Math.sin(angle) * ring, used: 0 }];
    }),
  );
  const elsewhere = { x: 0, y: 0, used: outcomes.length > 0 ? 12 : 0 };
  for (const { id, kind } of nodes) {
    const at = index.get(id)!;
    const place = places.get(kind === 'outcome' ? id : (home.get(id) ?? '')) ?? elsewhere;
    if (kind === 'outcome') [xs[at], ys[at]] = [place.x, place.y];
    else {
      place.used += 1;
      const distance = spacing * 0.8 * Math.sqrt(place.used);
      xs[at] = place.x + Math.cos(place.used * golden) * distance;
      ys[at] = place.y + Math.sin(place.used * golden) * distance;
    }
  }
}

function repel(xs: Float64Array, ys: Float64Array, pushX: Float64Array, pushY: Float64Array): void {
  const cells = new Map<number, number[]>();
  const cellOf = (value: number) => Math.floor(value / reach);
  const key = (column: number, row: number) => column * 100_003 + row;
  for (let at = 0; at < xs.length; at += 1) {
    const cell = key(cellOf(xs[at]!), cellOf(ys[at]!));
    const members = cells.get(cell);
    if (members) members.push(at);
    else cells.set(cell, [at]);
  }
  for (let at = 0; at < xs.length; at += 1) {
    const [column, row] = [cellOf(xs[at]!), cellOf(ys[at]!)];
    for (let cell = 0; cell < 9; cell += 1) {
      for (const other of cells.get(key(column - 1 + (cell % 3), row - 1 + Math.floor(cell / 3))) ?? []) {
        if (other <= at) continue;
        // Two nodes on one spot part along an angle of their own.
        const dx = xs[at]! - xs[other]! || Math.cos(at) * 0.01;
        const dy = ys[at]! - ys[other]! || Math.sin(at) * 0.01;
        const distance = Math.hypot(dx, dy);
        if (distance > reach) continue;
        const push = ((spacing * spacing * (1 - distance / reach)) / (distance * distance + 1) / distance) * 26;
        const [x, y] = [dx * push, dy * push];
        pushX[at]! += x;
        pushY[at]! += y;
        pushX[other]! -= x;
        pushY[other]! -= y;
      }
    }
  }
}

/** The node to go to from another one with an arrow key. */
export function neighbourTowards(points: readonly Point[], from: number, direction: Point): number {
  const here = points[from];
  if (!here) return points.length > 0 ? 0 : -1;
  let best = from;
  let least = Infinity;
  for (const [at, { x, y }] of points.entries()) {
    const ahead = (x - here.x) * direction.x + (y - here.y) * direction.y;
    if (at === from || ahead <= 0) continue;
    const aside = Math.abs((x - here.x) * direction.y) + Math.abs((y - here.y) * direction.x);
    const cost = ahead + aside * 2;
    if (cost < least) [least, best] = [cost, at];
  }
  return best;
}
