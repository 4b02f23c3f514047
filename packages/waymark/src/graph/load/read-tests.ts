import type { GraphTest, GraphTool } from '../model.ts';
import { optional } from './optional.ts';
import { checkExpression } from './read-template.ts';
import { hint, isRecord, Section } from './section.ts';

const keys = ['name', 'tool', 'args', 'mocks', 'expect', 'expectExpr', 'expectError', 'path'];

/** The `tests:` section. */
export function readTests(root: Section, tools: ReadonlyMap<string, GraphTool>): GraphTest[] {
  const tests: GraphTest[] = [];
  for (const [index, value] of (root.list('tests') ?? []).entries()) {
    const section = Section.read(root.report, root.at('tests', index), value, 'A test');
    if (!section) continue;
    section.allow(keys, 'A test');
    const name = section.requiredString('name', 'A test');
    const tool = section.requiredString('tool', 'A test');
    if (name === undefined || tool === undefined) continue;
    if (!tools.has(tool))
      section.error('tool', 'missing-tool', `There is no tool "${tool}"${hint(tool, tools.keys())}`);
    tests.push({
      name,
      tool,
      args: section.record('args') ?? {},
      mocks: section.record('mocks') ?? {},
      ...readExpectation(section),
      ...optional('expectError', section.string('expectError')),
      ...optional('path', section.strings('path')),
      position: root.report.source.positionOf(section.path),
    });
  }
  return tests;
}

function readExpectation(section: Section): Pick<GraphTest, 'expect'> {
  const expression = section.string('expectExpr');
  if (expression !== undefined) {
    return { expect: { expression: checkExpression(expression, section.at('expectExpr'), section) } };
  }
  return section.keys.includes('expect') ? { expect: { result: section.raw('expect') ?? null } } : {};
}

/** `{output}`, `{outputs}` and `{error}` say what a mock does; anything else is its output. */
export function isMock(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).length !== 1) return false;
  return 'output' in value || Array.isArray(value['outputs']) || isRecord(value['error']);
}
