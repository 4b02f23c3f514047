import type {
  CachePolicy,
  Fallible,
  ForeachNode,
  GraphNode,
  JsonSchemaDocument,
  NodeType,
  Position,
  RetryPolicy,
  SwitchCondition,
  Template,
} from '../model.ts';
import { RuleError, compileRule } from '../expressions/json-logic.ts';
import { optional } from './optional.ts';
import { checkExpression, readExpression, readTemplate, type TemplateContext } from './read-template.ts';
import { nameType, Section } from './section.ts';
import { locateInExpression, type YamlPath } from './yaml-source.ts';

export interface NodeContext extends TemplateContext {
  /** Inside a `foreach` body a node without `next` is where an iteration ends. */
  readonly inBody: boolean;
}

const common = ['id', 'type', 'title', 'description', 'next'];
const fallible = ['retry', 'timeoutMs', 'onError', 'continueOnError'];

/** What each kind of node may say. */
export const nodeKeys: Readonly<Record<NodeType, readonly string[]>> = {
  entry: [...common, 'tool'],
  exit: [...common, 'tool'],
  mcp: [...common, ...fallible, 'server', 'tool', 'args', 'cache', 'result'],
  transform: [...common, ...fallible, 'transform', 'cache'],
  switch: [...common, ...fallible, 'conditions'],
  parallel: [...common, 'branches'],
  join: [...common, 'mode'],
  foreach: [...common, ...fallible, 'items', 'as', 'concurrency', 'itemErrors', 'nodes'],
  call: [...common, ...fallible, 'tool', 'graph', 'args', 'cache'],
  wait: [...common, 'ms', 'until'],
  approve: [...common, ...fallible, 'message', 'form', 'rejected'],
};

interface Base {
  readonly id: string;
  readonly position: Position;
  readonly title?: string;
}

type ReadBody = (values: readonly unknown[], path: YamlPath) => Map<string, GraphNode>;

export function readNodeOfType(
  type: NodeType,
  base: Base,
  section: Section,
  context: NodeContext,
  readBody: ReadBody,
): GraphNode | undefined {
  const next = type === 'switch' ? section.string('next') : readNext(type, section, context);
  const all = { ...base, ...optional('next', next) };
  const what = `The ${type} node "${base.id}"`;
  switch (type) {
    case 'entry':
    case 'exit':
      return { ...base, type, ...(type === 'entry' ? optional('next', next) : {}) };
    case 'mcp': {
      const server = section.requiredString('server', what);
      const tool = section.requiredString('tool', what);
      if (server === undefined || tool === undefined) return undefined;
      const result = section.oneOf('result', ['value', 'full']) ?? 'value';
      return {
        ...all,
        ...readFallible(section),
        ...readCache(section, context),
        type,
        server,
        tool,
        result,
        args: readArguments(section, context),
      };
    }
    case 'transform': {
      const transform = section.section('transform');
      if (!section.has('transform')) {
        section.error('transform', 'missing-key', `${what} needs "transform": {expr: …}`);
      }
      transform?.allow(['expr'], `"transform" of node "${base.id}"`);
      const text = transform?.requiredString('expr', `"transform" of node "${base.id}"`);
      if (!transform || text === undefined) return undefined;
      const expression = checkExpression(text, transform.at('expr'), context);
      return { ...all, ...readFallible(section), ...readCache(section, context), type, expression };
    }
    case 'switch':
      return readSwitch({ ...base }, section, next);
    case 'parallel': {
      const branches = section.strings('branches') ?? [];
      if (branches.length === 0)
        section.error('branches', 'missing-key', `${what} needs "branches": the first node of each`);
      if (new Set(branches).size < branches.length)
        section.error('branches', 'duplicate-id', `${what} names a branch twice`);
      return { ...base, type, branches, ...optional('join', next) };
    }
    case 'join':
      return { ...all, type, mode: section.oneOf('mode', ['all', 'any', 'settled']) ?? 'all' };
    case 'foreach':
      return readForeach(all, section, context, readBody);
    case 'call': {
      const tool = section.requiredString('tool', what);
      if (tool === undefined) return undefined;
      const graph = optional('graph', section.string('graph'));
      return {
        ...all,
        ...readFallible(section),
        ...readCache(section, context),
        ...graph,
        type,
        tool,
        args: readArguments(section, context),
      };
    }
    case 'wait': {
      if (section.has('ms') === section.has('until')) {
        section.error('until', 'missing-key', `${what} needs either "ms" or "until"`);
      }
      const key = section.has('ms') ? 'ms' : 'until';
      const value = section.raw(key);
      if (typeof value === 'number' && value < 0) section.error(key, 'wrong-value', `"${key}" must not be negative`);
      requireValue(section, key, key === 'ms' ? 'number' : 'string');
      return { ...all, type, duration: readTemplate(value ?? 0, section.at(key), context) };
    }
    case 'approve': {
      const rejected = optional('rejected', section.string('rejected'));
      const form = optional('form', section.record('form') as JsonSchemaDocument | undefined);
      if (!section.has('message')) {
        section.error('message', 'missing-key', `${what} needs "message": what the person is asked`);
      }
      requireValue(section, 'message', 'string');
      const message = readTemplate(section.raw('message') ?? '', section.at('message'), context);
      return { ...all, ...readFallible(section), ...form, ...rejected, type, message };
    }
  }
}

/** A value of one kind, or `{expr}`. */
function requireValue(section: Section, key: string, wanted: 'number' | 'string'): void {
  const value = section.raw(key);
  if (value === undefined || value === null || typeof value === wanted) return;
  if (typeof value === 'object' && 'expr' in value) return;
  const kind = wanted === 'string' ? 'text' : wanted;
  section.error(key, 'wrong-type', `"${key}" must be a ${kind} or {expr: …}, not ${nameType(value)}`);
}

function readNext(type: NodeType, section: Section, { inBody }: NodeContext): string | undefined {
  const next = section.string('next');
  const needsNone = inBody || type === 'exit' || type === 'parallel';
  if (!section.has('next') && !needsNone) {
    section.error(
      'next',
      'missing-key',
      `The ${type} node "${section.about.node}" needs "next": the node that follows`,
    );
  }
  return next;
}

function readArguments(section: Section, context: NodeContext): Template {
  const value = section.raw('args');
  if (value === undefined || value === null) return { kind: 'literal', value: {} };
  if (section.record('args') === undefined) return { kind: 'literal', value: {} };
  return readTemplate(value, section.at('args'), context);
}

function readFallible(section: Section): Fallible {
  return {
    ...optional('retry', readRetry(section)),
    ...optional('timeoutMs', section.integer('timeoutMs', 1)),
    ...optional('onError', section.string('onError')),
    ...optional('continueOnError', section.boolean('continueOnError')),
  };
}

const defaultRetry: RetryPolicy = { attempts: 3, delayMs: 200, factor: 2, maxDelayMs: 30_000, jitter: 0.2 };

function readRetry(section: Section): RetryPolicy | undefined {
  if (!section.has('retry')) return undefined;
  if (typeof section.raw('retry') === 'number') {
    const attempts = section.integer('retry', 1);
    return attempts === undefined ? undefined : { ...defaultRetry, attempts };
  }
  const retry = section.section('retry');
  if (!retry) return undefined;
  retry.allow(['attempts', 'delayMs', 'factor', 'maxDelayMs', 'jitter', 'on'], '"retry"');
  return {
    attempts: retry.integer('attempts', 1) ?? defaultRetry.attempts,
    delayMs: retry.integer('delayMs', 0) ?? defaultRetry.delayMs,
    factor: retry.number('factor', 1, 100) ?? defaultRetry.factor,
    maxDelayMs: retry.integer('maxDelayMs', 0) ?? defaultRetry.maxDelayMs,
    jitter: retry.number('jitter', 0, 1) ?? defaultRetry.jitter,
    ...optional('on', retry.strings('on')),
  };
}

function readCache(section: Section, context: NodeContext): { cache?: CachePolicy } {
  if (!section.has('cache') || section.raw('cache') === false) return {};
  if (section.raw('cache') === true) return { cache: { ttlMs: 300_000 } };
  const cache = section.section('cache');
  if (!cache) return {};
  cache.allow(['ttlMs', 'key'], '"cache"');
  const ttlMs = cache.integer('ttlMs', 1) ?? 300_000;
  const key = cache.string('key');
  return { cache: { ttlMs, ...(key === undefined ? {} : { key: checkExpression(key, cache.at('key'), context) }) } };
}

function readSwitch(base: Base, section: Section, otherwise: string | undefined): GraphNode {
  const conditions: SwitchCondition[] = [];
  const values = section.list('conditions');
  if (values === undefined && !section.has('conditions')) {
    section.error('conditions', 'missing-key', `The switch node "${base.id}" needs "conditions"`);
  }
  for (const [index, value] of (values ?? []).entries()) {
    const condition = readCondition(value, section, index);
    if (condition) conditions.push(condition);
  }
  const open = conditions.findIndex((condition) => condition.rule === undefined);
  if (open >= 0 && (open < conditions.length - 1 || otherwise !== undefined)) {
    const after = open < conditions.length - 1 ? 'the conditions after it' : 'the "next" of the switch';
    section.report.warn(
      section.at('conditions', open),
      'unreachable-condition',
      `This condition has no rule, so ${after} can never be reached`,
      section.about,
    );
  }
  if (open < 0 && otherwise === undefined) {
    section.warn(
      'conditions',
      'no-default',
      `The switch node "${base.id}" has no default; it fails when no rule holds`,
    );
  }
  return { ...base, ...readFallible(section), type: 'switch', conditions, ...optional('otherwise', otherwise) };
}

function readCondition(value: unknown, node: Section, index: number): SwitchCondition | undefined {
  const path = node.at('conditions', index);
  const condition = Section.read(node.report, path, value, 'A condition', node.about);
  if (!condition) return undefined;
  condition.allow(['rule', 'next', 'target'], 'A condition');
  if (condition.has('next') && condition.has('target')) {
    condition.error('target', 'mixed-keys', 'A condition has either "next" or "target", not both');
  }
  const next = condition.string('next') ?? condition.string('target');
  if (next === undefined && !condition.has('next') && !condition.has('target')) {
    node.report.error(path, 'missing-key', 'A condition needs "next": the node to go to', node.about);
  }
  const rule = condition.raw('rule') ?? undefined;
  checkRule(rule, condition);
  if (next === undefined) return undefined;
  return { rule, next, position: node.report.source.positionOf(path) };
}

function checkRule(rule: unknown, condition: Section): void {
  const { report, about } = condition;
  if (rule === undefined) return;
  if (typeof rule === 'object' && rule !== null && !Array.isArray(rule) && Object.keys(rule).length !== 1) {
    const message = `A rule is one JSON Logic operator with its operands; this one has ${Object.keys(rule).length}`;
    condition.error('rule', 'invalid-rule', message);
    return;
  }
  try {
    compileRule(rule);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const path = condition.at('rule', ...error.path);
    const isVar = error.offset !== undefined;
    const position = isVar
      ? locateInExpression(report.source.expressionAt(path, readText(rule, error.path)), error.offset)
      : report.source.positionOf(path);
    report.error(path, 'invalid-rule', `Node "${about.node}": ${error.message}`, { ...about, position });
  }
}

function readText(value: unknown, path: readonly (string | number)[]): string {
  let found = value;
  for (const step of path) found = (found as Record<string | number, unknown> | undefined)?.[step];
  return typeof found === 'string' ? found : '';
}

function readForeach(
  base: Base & { next?: string },
  section: Section,
  context: NodeContext,
  readBody: ReadBody,
): ForeachNode | undefined {
  const what = `The foreach node "${base.id}"`;
  const items = section.raw('items');
  if (items === undefined) section.error('items', 'missing-key', `${what} needs "items": a list or an expression`);
  const values = section.list('nodes');
  if (values === undefined || values.length === 0) {
    if (!section.has('nodes') || values)
      section.error('nodes', 'missing-key', `${what} needs "nodes": what is done with each item`);
    return undefined;
  }
  const nodes = readBody(values, section.at('nodes'));
  const [start] = nodes.keys();
  if (start === undefined) return undefined;
  return {
    ...base,
    ...readFallible(section),
    type: 'foreach',
    items: readItems(items, section, context),
    as: section.string('as') ?? 'item',
    concurrency: section.integer('concurrency', 1) ?? 1,
    itemErrors: section.oneOf('itemErrors', ['fail', 'keep']) ?? 'fail',
    body: { start, nodes },
  };
}

/** A text is always an expression here: a list cannot be written as one. */
function readItems(items: unknown, section: Section, context: NodeContext): Template {
  if (typeof items === 'string') return readExpression(items, section.at('items'), context);
  const isList = Array.isArray(items) || (typeof items === 'object' && items !== null && 'expr' in items);
  if (!isList && items !== undefined) {
    section.error('items', 'wrong-type', `"items" must be a list or an expression, not ${nameType(items)}`);
  }
  return readTemplate(items ?? [], section.at('items'), context);
}
