import type { Dialect } from '../model.ts';
import { isRecord } from './section.ts';

/** How a text that starts with `$` is read among the arguments of a node. */
export type DollarArguments =
  /** As an expression. */
  | 'always'
  /** As an expression where it is one, with a warning: nothing in the file says which is meant. */
  | 'if-valid'
  /** As a text, with a warning where it looks like a path: the file writes its expressions in another way. */
  | 'as-text'
  /** As a text. */
  | 'never';

export interface DialectChoice {
  readonly dialect: Dialect;
  readonly dollar: DollarArguments;
}

const newerTypes = new Set(['parallel', 'join', 'foreach', 'call', 'wait', 'approve']);

/** Files do not say which dialect they are written in, but their switches, arguments and layout do. */
export function detectDialect(root: Readonly<Record<string, unknown>>): DialectChoice {
  const signs = { target: false, expr: false, newer: false };
  const tools = Array.isArray(root['tools']) ? root['tools'] : [];
  const lists = [root['nodes'], ...tools.map((tool) => (isRecord(tool) ? tool['nodes'] : undefined))];
  for (const nodes of lists) if (Array.isArray(nodes)) for (const node of nodes) inspect(node, signs);

  const isOld = root['nodes'] !== undefined;
  const dialect: Dialect = isOld ? 'old' : (signs.expr || signs.newer) && !signs.target ? 'expr' : 'dollar';
  const forced = root['expressions'];
  if (forced === 'dollar') return { dialect, dollar: 'always' };
  if (forced === 'explicit') return { dialect: isOld ? 'old' : 'expr', dollar: 'never' };
  if (isOld || signs.target) return { dialect, dollar: 'always' };
  return { dialect, dollar: signs.expr ? 'as-text' : 'if-valid' };
}

function inspect(node: unknown, signs: { target: boolean; expr: boolean; newer: boolean }): void {
  if (!isRecord(node)) return;
  if (typeof node['type'] === 'string' && newerTypes.has(node['type'])) signs.newer = true;
  if (hasExpression(node['args'])) signs.expr = true;
  if (!Array.isArray(node['conditions'])) return;
  for (const condition of node['conditions']) {
    if (!isRecord(condition)) continue;
    if ('target' in condition) signs.target = true;
    if ('next' in condition) signs.expr = true;
  }
}

function hasExpression(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasExpression);
  if (!isRecord(value)) return false;
  return typeof value['expr'] === 'string' || Object.values(value).some(hasExpression);
}
