import type { GraphNode, Template } from '../model.ts';
import type { Edge } from '../targets.ts';

/** A second line under a node's id: what it does, in a few words. */
export function detailOf(node: GraphNode): string {
  switch (node.type) {
    case 'mcp':
      return `${node.server}.${node.tool}`;
    case 'transform':
      return oneLine(node.expression.text);
    case 'call':
      return node.graph === undefined ? node.tool : `${node.graph}: ${node.tool}`;
    case 'foreach':
      return `each ${node.as} of ${showTemplate(node.items)}${node.concurrency > 1 ? `, ${node.concurrency} at once` : ''}`;
    case 'wait':
      return showTemplate(node.duration);
    case 'approve':
      return showTemplate(node.message);
    case 'join':
      return node.mode;
    default:
      return '';
  }
}

export function labelOfEdge(node: GraphNode, edge: Edge): string {
  switch (edge.kind) {
    case 'condition': {
      const rule = node.type === 'switch' ? node.conditions[edge.at[1] as number]?.rule : undefined;
      return rule === undefined ? 'else' : showRule(rule);
    }
    case 'otherwise':
      return 'else';
    case 'error':
      return 'on error';
    case 'rejected':
      return 'rejected';
    default:
      return '';
  }
}

function showTemplate(template: Template): string {
  if (template.kind === 'expression') return oneLine(template.expression.text);
  return template.kind === 'literal' ? shorten(JSON.stringify(template.value)) : template.kind;
}

/** `entry.value > 10` reads better than its JSON. */
export function showRule(rule: unknown): string {
  return shorten(showPart(rule));
}

const infix = new Set(['==', '===', '!=', '!==', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', 'and', 'or', 'in']);

function showPart(rule: unknown): string {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return JSON.stringify(rule);
  const [entry] = Object.entries(rule);
  if (!entry) return '{}';
  const [operator, operands] = entry as [string, unknown];
  const list: unknown[] = Array.isArray(operands) ? operands : [operands];
  if (operator === 'var') return String(list[0]).replace(/^\$\./, '');
  if (infix.has(operator) && list.length > 1) return list.map(showPart).join(` ${operator} `);
  return `${operator}(${list.map(showPart).join(', ')})`;
}

function oneLine(text: string): string {
  return shorten(text.replaceAll(/\s+/g, ' ').trim());
}

function shorten(text: string, longest = 38): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
