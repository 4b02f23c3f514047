import { compileExpression } from '../expressions/jsonata.ts';
import type { SyntaxNode } from '../expressions/syntax-tree.ts';
import { hint, isRecord, type Report } from '../load/section.ts';
import type { ReadTool } from '../load/read-tools.ts';
import { locateInExpression } from '../load/yaml-source.ts';
import type { ExpressionSource, ForeachNode, GraphNode, NodeList, Template } from '../model.ts';

const historyFunctions = new Set(['executionCount', 'nodeExecution', 'nodeExecutions']);

/** Warns of expressions that read the output of a node that is not there. */
export function checkReferences(tool: ReadTool, report: Report, extraNames: readonly string[]): void {
  checkList(tool.body, new Set([...extraNames, ...tool.body.nodes.keys()]), tool, report);
}

function checkList(body: NodeList, visible: ReadonlySet<string>, tool: ReadTool, report: Report): void {
  for (const node of body.nodes.values()) {
    for (const expression of expressionsOf(node)) checkExpression(expression, node, visible, tool, report);
    for (const name of rulePathsOf(node)) checkRulePath(name, node, visible, tool, report);
    if (node.type === 'foreach') {
      const inner = new Set([...visible, ...node.body.nodes.keys(), (node satisfies ForeachNode).as, 'index']);
      checkList(node.body, inner, tool, report);
    }
  }
}

function checkExpression(
  expression: ExpressionSource,
  node: GraphNode,
  visible: ReadonlySet<string>,
  tool: ReadTool,
  report: Report,
): void {
  let tree: SyntaxNode;
  try {
    tree = compileExpression(expression.text).tree;
  } catch {
    return;
  }
  for (const { name, offset } of namesIn(tree)) {
    if (visible.has(name)) continue;
    const message = `Node "${node.id}" reads "${name}", but there is no such node${hint(name, visible)}`;
    const position = locateInExpression(expression, offset);
    report.warn(report.places.get(node) ?? tool.path, 'unknown-node', message, {
      tool: tool.name,
      node: node.id,
      position,
    });
  }
}

function checkRulePath(
  name: string,
  node: GraphNode,
  visible: ReadonlySet<string>,
  tool: ReadTool,
  report: Report,
): void {
  if (visible.has(name)) return;
  const message = `A rule of node "${node.id}" reads "${name}", but there is no such node${hint(name, visible)}`;
  report.warn(report.places.get(node) ?? tool.path, 'unknown-node', message, {
    tool: tool.name,
    node: node.id,
    position: node.position,
  });
}

export function expressionsOf(node: GraphNode): ExpressionSource[] {
  switch (node.type) {
    case 'transform':
      return [node.expression];
    case 'mcp':
    case 'call':
      return [...inTemplate(node.args), ...(node.cache?.key ? [node.cache.key] : [])];
    case 'foreach':
      return inTemplate(node.items);
    case 'wait':
      return inTemplate(node.duration);
    case 'approve':
      return inTemplate(node.message);
    default:
      return [];
  }
}

function inTemplate(template: Template): ExpressionSource[] {
  switch (template.kind) {
    case 'literal':
      return [];
    case 'expression':
      return [template.expression];
    case 'array':
      return template.items.flatMap(inTemplate);
    case 'object':
      return template.entries.flatMap(([, value]) => inTemplate(value));
  }
}

/** The node names a rule's top-level `var`s begin with. Inside `map` and the like `var` reads the item instead. */
function rulePathsOf(node: GraphNode): string[] {
  if (node.type !== 'switch') return [];
  const names: string[] = [];
  const visit = (rule: unknown): void => {
    if (Array.isArray(rule)) return rule.forEach(visit);
    if (!isRecord(rule)) return;
    for (const [operator, operands] of Object.entries(rule)) {
      const [first] = Array.isArray(operands) ? operands : [operands];
      if (operator === 'var') {
        const name = typeof first === 'string' ? /^(?:\$\$?\.)?([A-Za-z_]\w*)(?:\.|$)/.exec(first)?.[1] : undefined;
        if (name !== undefined) names.push(name);
      } else if (['map', 'filter', 'reduce', 'all', 'some', 'none'].includes(operator)) {
        visit(first);
      } else {
        visit(operands);
      }
    }
  };
  for (const condition of node.conditions) visit(condition.rule);
  return names;
}

interface Reference {
  readonly name: string;
  readonly offset: number | undefined;
}

/** `$.node…` at the top level of an expression, and the literal ids given to the history functions. */
function namesIn(tree: SyntaxNode): Reference[] {
  const found: Reference[] = [];
  const visit = (node: SyntaxNode | undefined, isTop: boolean): void => {
    if (!node) return;
    if (node.type === 'path') {
      const [first, second] = node.steps ?? [];
      const fromRoot = first?.type === 'variable' && (first.value === '$' || (first.value === '' && isTop));
      if (fromRoot && second?.type === 'name') found.push({ name: String(second.value), offset: before(second) });
      node.steps?.forEach((step, index) => visit(step, isTop && index === 0));
      return;
    }
    if (node.type === 'function' && historyFunctions.has(String(node.procedure?.value))) {
      const [id] = node.arguments ?? [];
      if (id?.type === 'string') found.push({ name: String(id.value), offset: before(id) });
    }
    const isInner = isTop && node.type !== 'lambda';
    const pairs = Array.isArray(node.lhs) ? (node.lhs as (readonly SyntaxNode[])[]).flat() : [node.lhs as SyntaxNode];
    for (const part of [...pairs, node.rhs, node.expression, node.condition, node.then, node.else])
      visit(part, isInner);
    for (const part of [...(node.expressions ?? []), ...(node.arguments ?? [])]) visit(part, isInner);
  };
  visit(tree, true);
  return found;
}

function before(node: SyntaxNode): number | undefined {
  return node.position === undefined ? undefined : Math.max(0, node.position - String(node.value).length);
}
