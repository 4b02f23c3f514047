import { hint, list, type Report } from '../load/section.ts';
import type { ReadTool } from '../load/read-tools.ts';
import { waymarkPrefix } from '../load/read-servers.ts';
import type { GraphDocument, GraphNode, NodeList } from '../model.ts';
import { targetsOf } from '../targets.ts';
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
    context.report.error(tool.path, 'unreachable-exit', message, { ...about, position: positionOf(nodes, exit, tool) });
  } else {
    reportDeadEnds(tool, reached, exit, context.report);
  }
  reportOrphans(tool.body, reached, tool, context.report);
  checkBranches(tool, context.report);
}

function positionOf(nodes: ReadonlyMap<string, GraphNode>, id: string, tool: ReadTool) {
  return nodes.get(id)?.position ?? tool.position;
}

function checkNodes(body: NodeList, tool: ReadTool, context: StructureContext): void {
  const { report } = context;
  for (const node of body.nodes.values()) {
    const about = { tool: tool.name, node: node.id, position: node.position };
    for (const target of new Set(targetsOf(node))) {
      if (body.nodes.has(target)) continue;
      const what = node.type === 'switch' ? 'Switch node' : 'Node';
      const message = `${what} "${node.id}" in tool "${tool.name}" references non-existent next node "${target}"${hint(target, body.nodes.keys())}`;
      report.error(tool.path, 'missing-target', message, about);
    }
    if (body.nodes.get(node.next ?? '')?.type === 'entry') {
      report.warn(tool.path, 'entry-target', `Node "${node.id}" leads back to the entry node`, about);
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
  report.error(tool.path, 'missing-server', message, { tool: tool.name, node: node.id, position: node.position });
}

function checkCall(
  node: GraphNode & { type: 'call' },
  tool: ReadTool,
  { report, tools, graphs }: StructureContext,
): void {
  const about = { tool: tool.name, node: node.id, position: node.position };
  const graph = node.graph === undefined ? undefined : graphs.get(node.graph);
  if (node.graph !== undefined && !graph) {
    const message = `Call node "${node.id}" names the graph "${node.graph}", which is not in "graphs"${hint(node.graph, graphs.keys())}`;
    report.error(tool.path, 'missing-graph', message, about);
    return;
  }
  const names = graph ? graph.tools : tools;
  if (names.has(node.tool)) return;
  const message = `Call node "${node.id}" in tool "${tool.name}" calls the tool "${node.tool}", which does not exist${hint(node.tool, names.keys())}`;
  report.error(tool.path, 'missing-tool', message, about);
}

function checkBody(body: NodeList, owner: GraphNode, tool: ReadTool, context: StructureContext): void {
  const { report } = context;
  for (const node of body.nodes.values()) {
    if (node.type !== 'entry' && node.type !== 'exit') continue;
    const message = `The nodes of the foreach node "${owner.id}" begin at the first and end where there is no "next"; "${node.id}" must not be of type ${node.type}`;
    report.error(tool.path, 'misplaced-node', message, { tool: tool.name, node: node.id, position: node.position });
  }
  checkNodes(body, tool, context);
  const reached = reachableFrom(body.start, body.nodes);
  reportOrphans(body, reached, tool, report);
  const ends = [...reached].some((id) => endsBody(body.nodes.get(id)));
  if (!ends) {
    const message = `The nodes of the foreach node "${owner.id}" go round for ever: none is without "next"`;
    report.error(tool.path, 'endless-loop', message, { tool: tool.name, node: owner.id, position: owner.position });
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
    const about = { tool: tool.name, node: node.id, position: node.position };
    report.warn(tool.path, 'orphan-node', `Node "${node.id}" in tool "${tool.name}" can never be reached`, about);
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
    report.warn(tool.path, 'endless-loop', message, { tool: tool.name, node: id, position: node.position });
  }
}
