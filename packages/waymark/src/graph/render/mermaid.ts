import type { GraphNode, GraphTool, NodeList, NodeType } from '../model.ts';
import { edgesOf } from '../targets.ts';
import { detailOf, labelOfEdge } from './describe.ts';

const shapes: Record<NodeType, readonly [open: string, close: string]> = {
  entry: ['([', '])'],
  exit: ['([', '])'],
  mcp: ['[[', ']]'],
  transform: ['[', ']'],
  switch: ['{', '}'],
  parallel: ['[/', '\\]'],
  join: ['[\\', '/]'],
  foreach: ['[', ']'],
  call: ['[[', ']]'],
  wait: ['(', ')'],
  approve: ['{{', '}}'],
};

/** A tool's graph as a Mermaid flowchart. */
export function renderMermaid(tool: GraphTool): string {
  const names = new Map<string, string>();
  const lines = ['flowchart TD'];
  collectNames(tool.body, names);
  writeList(tool.body, lines, names, '  ');
  return `${lines.join('\n')}\n`;
}

/** Mermaid has words of its own, and ids may hold anything, so nodes are numbered. */
function collectNames(body: NodeList, names: Map<string, string>): void {
  for (const node of body.nodes.values()) {
    names.set(node.id, `n${names.size}`);
    if (node.type === 'foreach') collectNames(node.body, names);
  }
}

function writeList(body: NodeList, lines: string[], names: ReadonlyMap<string, string>, indent: string): void {
  for (const node of body.nodes.values()) {
    const name = names.get(node.id) ?? '';
    if (node.type === 'foreach') {
      lines.push(`${indent}subgraph ${name}["${label(node)}"]`);
      writeList(node.body, lines, names, `${indent}  `);
      lines.push(`${indent}end`);
    } else {
      const [open, close] = shapes[node.type];
      lines.push(`${indent}${name}${open}"${label(node)}"${close}`);
    }
  }
  for (const node of body.nodes.values()) {
    for (const edge of edgesOf(node)) {
      const text = labelOfEdge(node, edge);
      const arrow = edge.kind === 'error' ? '-.->' : '-->';
      lines.push(
        `${indent}${names.get(node.id) ?? ''} ${arrow}${text ? `|"${escape(text)}"|` : ''} ${names.get(edge.target) ?? ''}`,
      );
    }
  }
}

function label(node: GraphNode): string {
  const detail = detailOf(node);
  return escape(node.title ?? node.id) + (detail ? `<br/><small>${escape(detail)}</small>` : '');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
