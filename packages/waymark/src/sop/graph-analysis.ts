import type { Sop } from './model.ts';

type Edges = Pick<Sop, 'edges'>;

/** Everything that can be reached from `roots`, themselves included. */
export function reachableFrom({ edges }: Edges, roots: Iterable<string>): Set<string> {
  const seen = new Set(roots);
  const queue = [...seen];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const { to } of edges.get(id) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      queue.push(to);
    }
  }
  return seen;
}

/** The nodes from which at least one of `targets` can be reached. */
export function leadingTo({ edges }: Edges, targets: Iterable<string>): Set<string> {
  const sources = new Map<string, string[]>();
  for (const [from, outgoing] of edges) {
    for (const { to } of outgoing) sources.set(to, [...(sources.get(to) ?? []), from]);
  }
  const seen = new Set(targets);
  const queue = [...seen];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const from of sources.get(id) ?? []) {
      if (seen.has(from)) continue;
      seen.add(from);
      queue.push(from);
    }
  }
  return seen;
}

/** Whether every way from `roots` to `target` passes one of `gates`. */
export function passesOneOf(
  graph: Edges,
  roots: readonly string[],
  target: string,
  gates: ReadonlySet<string>,
): boolean {
  if (gates.has(target)) return true;
  const open = roots.filter((root) => !gates.has(root));
  const seen = new Set(open);
  const queue = [...seen];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (id === target) return false;
    for (const { to } of graph.edges.get(id) ?? []) {
      if (seen.has(to) || gates.has(to)) continue;
      seen.add(to);
      queue.push(to);
    }
  }
  return !seen.has(target);
}
