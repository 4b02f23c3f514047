import type { ReadTool } from '../load/read-tools.ts';
import type { Report } from '../load/section.ts';
import type { ForeachNode, NodeList, ParallelNode } from '../model.ts';
import { targetsOf } from '../targets.ts';

/** Every branch of a `parallel` node must end at one and the same `join`, and nothing else may end at it. */
export function checkBranches(tool: ReadTool, report: Report): void {
  checkList(tool.body, tool, report);
}

function checkList(body: NodeList, tool: ReadTool, report: Report): void {
  const joined = new Set<string>();
  for (const node of body.nodes.values()) {
    if (node.type === 'foreach') checkList((node satisfies ForeachNode).body, tool, report);
    if (node.type === 'parallel') checkParallel(node, body, joined, tool, report);
  }
  for (const node of body.nodes.values()) {
    if (node.type !== 'join' || joined.has(node.id)) continue;
    const message = `No parallel node leads to the join node "${node.id}"`;
    report.error(report.places.get(node) ?? tool.path, 'join-without-parallel', message, {
      tool: tool.name,
      node: node.id,
    });
  }
}

function checkParallel(node: ParallelNode, body: NodeList, joined: Set<string>, tool: ReadTool, report: Report): void {
  const about = { tool: tool.name, node: node.id };
  const place = report.places.get(node) ?? tool.path;
  const joins = new Set<string>();
  for (const branch of node.branches) {
    const end = followBranch(branch, body);
    for (const join of end.joins) joins.add(join);
    if (end.leaves !== undefined) {
      const message = `The branch "${branch}" of the parallel node "${node.id}" reaches "${end.leaves}" without passing a join node`;
      report.error(place, 'branch-without-join', message, about);
    } else if (end.joins.size === 0) {
      report.error(
        place,
        'branch-without-join',
        `The branch "${branch}" of the parallel node "${node.id}" never reaches a join node`,
        about,
      );
    }
  }
  if (joins.size > 1) {
    const message = `The branches of the parallel node "${node.id}" end at different join nodes: ${[...joins].join(', ')}`;
    report.error(place, 'many-joins', message, about);
  }
  if (node.join !== undefined && joins.size > 0 && !joins.has(node.join)) {
    const message = `The branches of the parallel node "${node.id}" end at ${[...joins].join(', ')}, not at "${node.join}"`;
    report.error([...place, 'next'], 'wrong-join', message, about);
  }
  for (const join of joins) joined.add(join);
}

/** Walks a branch with the depth of parallel nodes inside it, so that a join closes the parallel it belongs to. */
function followBranch(start: string, body: NodeList): { joins: Set<string>; leaves: string | undefined } {
  const joins = new Set<string>();
  const seen = new Set<string>();
  const waiting: [id: string, depth: number][] = [[start, 0]];
  const deepest = body.nodes.size;
  let leaves: string | undefined;
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const [id, depth] = entry;
    const node = body.nodes.get(id);
    if (!node || depth > deepest || seen.has(`${depth} ${id}`)) continue;
    seen.add(`${depth} ${id}`);
    if (node.type === 'join' && depth === 0) {
      joins.add(id);
      continue;
    }
    const targets = targetsOf(node);
    if (node.type === 'exit' || targets.length === 0) leaves ??= id;
    const inner = node.type === 'parallel' ? depth + 1 : node.type === 'join' ? depth - 1 : depth;
    for (const target of targets) waiting.push([target, inner]);
  }
  return { joins, leaves };
}
