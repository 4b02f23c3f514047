import { compileExpression } from '../expressions/jsonata.ts';
import type { ExpressionSource, Template } from '../model.ts';
import type { DollarArguments } from './dialect.ts';
import { isRecord, list, nameType, type Report } from './section.ts';
import { locateInExpression, type YamlPath } from './yaml-source.ts';

export interface TemplateContext {
  readonly report: Report;
  readonly dollar: DollarArguments;
  readonly about: { tool?: string; node?: string };
}

/** A value whose `{expr: …}` parts, and in older files whose top-level `$…` texts, are expressions. */
export function readTemplate(value: unknown, path: YamlPath, context: TemplateContext, depth = 0): Template {
  if (typeof value === 'string' && depth === 1 && value.startsWith('$')) return readDollar(value, path, context);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => readTemplate(item, [...path, index], context, depth + 2));
    return items.every(isLiteral) ? { kind: 'literal', value } : { kind: 'array', items };
  }
  if (!isRecord(value)) return { kind: 'literal', value };
  if (Object.hasOwn(value, 'expr')) return readExpressionObject(value, path, context);
  const entries = Object.entries(value).map(
    ([key, item]) => [key, readTemplate(item, [...path, key], context, depth + 1)] as const,
  );
  return entries.every(([, entry]) => isLiteral(entry)) ? { kind: 'literal', value } : { kind: 'object', entries };
}

function isLiteral(template: Template): boolean {
  return template.kind === 'literal';
}

function readDollar(text: string, path: YamlPath, context: TemplateContext): Template {
  const { report, dollar, about } = context;
  if (dollar === 'as-text' && /^\$\$?\.[A-Za-z_`]/.test(text)) {
    const message = `"${text}" is passed on as a text; write {expr: ${JSON.stringify(text)}} to have it evaluated, like the other expressions of this file`;
    report.warn(path, 'dollar-literal', message, about);
  }
  if (dollar === 'as-text' || dollar === 'never') return { kind: 'literal', value: text };
  if (dollar === 'always') return readExpression(text, path, context);
  if (!isExpression(text)) {
    report.warn(
      path,
      'dollar-text',
      `"${text}" starts with $ but is no JSONata expression, so it is passed on as it is`,
      about,
    );
    return { kind: 'literal', value: text };
  }
  report.warn(
    path,
    'dollar-argument',
    `"${text}" is read as an expression; write {expr: ${JSON.stringify(text)}}, or say "expressions: explicit" to pass it on as a text`,
    about,
  );
  return readExpression(text, path, context);
}

function isExpression(text: string): boolean {
  try {
    compileExpression(text);
    return true;
  } catch {
    return false;
  }
}

function readExpressionObject(
  value: Readonly<Record<string, unknown>>,
  path: YamlPath,
  context: TemplateContext,
): Template {
  const { report, about } = context;
  const others = Object.keys(value).filter((key) => key !== 'expr');
  const { expr } = value;
  if (others.length > 0) {
    const message = `An object with "expr" must have only that key; here are also ${list(others)}`;
    report.error(path, 'mixed-expression', message, about);
  } else if (typeof expr === 'string') {
    return readExpression(expr, [...path, 'expr'], context);
  } else {
    report.error([...path, 'expr'], 'wrong-type', `"expr" must be a text, not ${nameType(expr)}`, about);
  }
  return { kind: 'literal', value: null };
}

export function readExpression(text: string, path: YamlPath, context: TemplateContext): Template {
  return { kind: 'expression', expression: checkExpression(text, path, context) };
}

/** The expression with its place in the file; a syntax error is reported at its own character. */
export function checkExpression(
  text: string,
  path: YamlPath,
  { report, about }: Pick<TemplateContext, 'report' | 'about'>,
): ExpressionSource {
  const expression = report.source.expressionAt(path, text);
  try {
    compileExpression(text);
  } catch (error) {
    const { reason, offset } = error as { reason: string; offset?: number };
    const where = offset === undefined ? '' : ` (character ${offset + 1} of the expression)`;
    const node = about.node === undefined ? '' : `Node "${about.node}": `;
    report.error(path, 'invalid-expression', `${node}Invalid JSONata syntax: ${reason}${where}`, {
      ...about,
      position: locateInExpression(expression, offset),
    });
  }
  return expression;
}
