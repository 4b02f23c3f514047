import { compileRule } from './expressions/json-logic.ts';
import {
  compileExpression,
  defaultExpressionLimits,
  type Expression,
  type ExpressionLimits,
} from './expressions/jsonata.ts';
import { compileTemplate, type Filler } from './expressions/template.ts';
import { after, type MaybePromise } from './expressions/maybe-promise.ts';
import type { ExpressionScope } from './expressions/scope.ts';
import { NodeFailure } from './errors.ts';
import type { ExecutionLimits, ExpressionSource, GraphNode, SwitchNode, Template } from './model.ts';

/** What a node's expressions and rules compute, compiled on the node's first execution and kept with it. */
export interface CompiledNode {
  /** Arguments, items, durations and messages. */
  readonly fill: Filler | undefined;
  readonly expression: Expression | undefined;
  readonly choose: ((scope: ExpressionScope) => MaybePromise<string>) | undefined;
  readonly cacheKey: Expression | undefined;
}

const compiledNodes = new WeakMap<GraphNode, CompiledNode>();

export function compileNode(node: GraphNode, limits: ExecutionLimits): CompiledNode {
  let compiled = compiledNodes.get(node);
  if (!compiled) {
    const bounds = expressionLimits(limits);
    const template = templateOf(node);
    const key = 'cache' in node ? node.cache?.key : undefined;
    compiled = {
      fill: template && compileTemplate(template, bounds),
      expression: node.type === 'transform' ? compileSource(node.expression, bounds) : undefined,
      choose: node.type === 'switch' ? compileSwitch(node, bounds) : undefined,
      cacheKey: key && compileSource(key, bounds),
    };
    compiledNodes.set(node, compiled);
  }
  return compiled;
}

export function expressionLimits(limits: ExecutionLimits): ExpressionLimits {
  return { ...defaultExpressionLimits, timeoutMs: limits.expressionTimeoutMs, resultLength: limits.maxPayloadBytes };
}

function compileSource(source: ExpressionSource, bounds: ExpressionLimits): Expression {
  return compileExpression(source.text, bounds);
}

function templateOf(node: GraphNode): Template | undefined {
  switch (node.type) {
    case 'mcp':
    case 'call':
      return node.args;
    case 'foreach':
      return node.items;
    case 'wait':
      return node.duration;
    case 'approve':
      return node.message;
    default:
      return undefined;
  }
}

/** The first condition whose rule holds decides. */
function compileSwitch(node: SwitchNode, bounds: ExpressionLimits): (scope: ExpressionScope) => MaybePromise<string> {
  const conditions = node.conditions.map(({ rule, next }) => ({
    rule,
    next,
    holds: rule === undefined ? () => true : compileRule(rule, bounds).holds,
  }));
  const from = (scope: ExpressionScope, index: number): MaybePromise<string> => {
    const condition = conditions[index];
    if (!condition) {
      if (node.otherwise !== undefined) return node.otherwise;
      throw new NodeFailure('NO_MATCH', `Switch node ${node.id}: No conditions matched and no default case provided`);
    }
    return after(condition.holds(scope), (holds) => (holds ? condition.next : from(scope, index + 1)));
  };
  return (scope) => from(scope, 0);
}
