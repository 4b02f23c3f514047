import { hint, list, type Report } from '../load/section.ts';
import type { ReadTool } from '../load/read-tools.ts';
import type { YamlPath } from '../load/yaml-source.ts';
import { waymarkPrefix } from '../load/read-servers.ts';
import type { GraphDocument, GraphNode, NodeList } from '../model.ts';
import { edgesOf, targetsOf } from '../targets.ts';
import { checkBranches } from './branches.ts';

/** What the checks of one tool need to know about the rest of the file. */
export interface StructureContext {
  readonly report: Report;
  readonly servers: ReadonlySet<string>;
  readonly tools: ReadonlyMap<string, ReadTool>;
  readonly graphs: ReadonlyMap<string, GraphDocument>;
}

/** Finds what cannot work whatever the data: missing targets, ends that cannot be reached, unknown servers. */
export function checkStructure(tool: ReadTool, context: StructureContext): void {
  checkNodes(tool.body, tool, context);
  const { start, exit, nodes } = tool.body;
  if (!nodes.has(start) || exit === undefined || !nodes.has(exit)) return;
  const reached = reachableFrom(start, nodes);
  const about = { tool: tool.name };
  if (!reached.has(exit)) {
    const message = `Tool "${tool.name}" exit node "${exit}" is not reachable from entry node "${start}"`;
    const node = nodes.get(exit);
    const place = node ? placeOf(node, tool, context.report) : tool.path;
    context.report.error(place, 'unreachable-exit', message, about);
  } else {
    reportDeadEnds(tool, reached, exit, context.report);
  }
  reportOrphans(tool.body, reached, tool, context.report);
  checkBranches(tool, context.report);
}

/** Where a node stands in the YAML. */
function placeOf(node: GraphNode, tool: ReadTool, report: Report): YamlPath {
  return report.places.get(node) ?? tool.path;
}

function checkNodes(body: NodeList, tool: ReadTool, context: StructureContext): void {
  const { report } = context;
  for (const node of body.nodes.values()) {
    const about = { tool: tool.name, node: node.id };
    const place = placeOf(node, tool, report);
    for (const { target, at } of edgesOf(node)) {
      if (body.nodes.has(target)) continue;
      const what = node.type === 'switch' ? 'Switch node' : 'Node';
      const message = `${what} "${node.id}" in tool "${tool.name}" references non-existent next node "${target}"${hint(target, body.nodes.keys())}`;
      report.error([...place, ...at], 'missing-target', message, about);
    }
    if (body.nodes.get(node.next ?? '')?.type === 'entry') {
      report.warn([...place, 'next'], 'entry-target', `Node "${node.id}" leads back to the entry node`, about);
    }
    if (node.type === 'mcp') checkServer(node.server, node, tool, context);
    if (node.type === 'call') checkCall(node, tool, context);
    if (node.type === 'foreach') checkBody(node.body, node, tool, context);
  }
}

function checkServer(server: string, node: GraphNode, tool: ReadTool, { report, servers }: StructureContext): void {
  if (servers.has(server) || server.startsWith(waymarkPrefix)) return;
  const known = servers.size > 0 ? `; there are ${list(servers)}` : '';
  const message = `MCP node "${node.id}" in tool "${tool.name}" references non-existent server "${server}"${hint(server, servers) || known}`;
  report.error([...placeOf(node, tool, report), 'server'], 'missing-server', message, {
    tool: tool.name,
    node: node.id,
  });
}

function checkCall(
  node: GraphNode & { type: 'call' },
  tool: ReadTool,
  { report, tools, graphs }: StructureContext,
): void {
  const about = { tool: tool.name, node: node.id };
  const place = placeOf(node, tool, report);
  const graph = node.graph === undefined ? undefined : graphs.get(node.graph);
  if (node.graph !== undefined && !graph) {
    const message = `Call node "${node.id}" names the graph "${node.graph}", which is not in "graphs"${hint(node.graph, graphs.keys())}`;
    report.error([...place, 'graph'], 'missing-graph', message, about);
    return;
  }
  const names = graph ? graph.tools : tools;
  if (names.has(node.tool)) return;
  const message = `Call node "${node.id}" in tool "${tool.name}" calls the tool "${node.tool}", which does not exist${hint(node.tool, names.keys())}`;
  report.error([...place, 'tool'], 'missing-tool', message, about);
}

function checkBody(body: NodeList, owner: GraphNode, tool: ReadTool, context: StructureContext): void {
  const { report } = context;
  for (const node of body.nodes.values()) {
    if (node.type !== 'entry' && node.type !== 'exit') continue;
    const message = `The nodes of the foreach node "${owner.id}" begin at the first and end where there is no "next"; "${node.id}" must not be of type ${node.type}`;
    report.error([...placeOf(node, tool, report), 'type'], 'misplaced-node', message, {
      tool: tool.name,
      node: node.id,
    });
  }
  checkNodes(body, tool, context);
  const reached = reachableFrom(body.start, body.nodes);
  reportOrphans(body, reached, tool, report);
  const ends = [...reached].some((id) => endsBody(body.nodes.get(id)));
  if (!ends) {
    const message = `The nodes of the foreach node "${owner.id}" go round for ever: none is without "next"`;
    report.error(placeOf(owner, tool, report), 'endless-loop', message, { tool: tool.name, node: owner.id });
  }
}

function endsBody(node: GraphNode | undefined): boolean {
  return node !== undefined && node.next === undefined && node.type !== 'switch' && node.type !== 'parallel';
}

export function reachableFrom(start: string, nodes: ReadonlyMap<string, GraphNode>): Set<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const node = nodes.get(id);
    if (!node || reached.has(id)) continue;
    reached.add(id);
    waiting.push(...targetsOf(node));
  }
  return reached;
}

function reportOrphans(body: NodeList, reached: ReadonlySet<string>, tool: ReadTool, report: Report): void {
  for (const node of body.nodes.values()) {
    if (reached.has(node.id) || node.id === body.exit) continue;
    const about = { tool: tool.name, node: node.id };
    const message = `Node "${node.id}" in tool "${tool.name}" can never be reached`;
    report.warn(placeOf(node, tool, report), 'orphan-node', message, about);
  }
}

/** Nodes that can be entered but never lead to the exit. */
function reportDeadEnds(tool: ReadTool, reached: ReadonlySet<string>, exit: string, report: Report): void {
  const { nodes } = tool.body;
  const sources = new Map<string, string[]>();
  for (const id of reached) {
    const node = nodes.get(id);
    for (const target of node ? targetsOf(node) : []) sources.set(target, [...(sources.get(target) ?? []), id]);
  }
  const leaving = new Set<string>();
  const waiting = [exit];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (leaving.has(id)) continue;
    leaving.add(id);
    waiting.push(...(sources.get(id) ?? []));
  }
  for (const id of reached) {
    const node = nodes.get(id);
    if (!node || leaving.has(id)) continue;
    const message = `From node "${id}" in tool "${tool.name}" the exit can never be reached: it goes round until a limit stops it`;
    report.warn(placeOf(node, tool, report), 'endless-loop', message, { tool: tool.name, node: id });
  }
}
