import { isDeepStrictEqual } from 'node:util';
import { toMocks } from './api/mocks.ts';
import { expressionLimits } from './compile.ts';
import type { GraphEngine, RunOutcome } from './engine.ts';
import { compileExpression } from './expressions/jsonata.ts';
import { dataScope } from './expressions/scope.ts';
import type { GraphDocument, GraphTest } from './model.ts';

export interface TestResult {
  readonly name: string;
  readonly ok: boolean;
  /** What was expected and what came. */
  readonly problem?: string;
  readonly durationMs: number;
}

/** Runs the `tests:` of a graph one after the other. */
export async function runGraphTests(engine: GraphEngine, document: GraphDocument): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const test of document.tests) results.push(await runTest(engine, document, test));
  return results;
}

async function runTest(engine: GraphEngine, document: GraphDocument, test: GraphTest): Promise<TestResult> {
  const handle = engine.start({ document, tool: test.tool, args: test.args, mocks: toMocks(test.mocks) });
  const outcome = await handle.outcome;
  const path = handle.view().history.map(({ node }) => node);
  const problem = (await judge(test, outcome, path, document)) ?? comparePath(test, path);
  return {
    name: test.name,
    ok: problem === undefined,
    ...(problem === undefined ? {} : { problem }),
    durationMs: outcome.durationUs / 1000,
  };
}

async function judge(
  test: GraphTest,
  outcome: RunOutcome,
  history: readonly string[],
  document: GraphDocument,
): Promise<string | undefined> {
  if (test.expectError !== undefined) {
    if (outcome.status === 'succeeded')
      return `expected the error ${test.expectError}, got ${JSON.stringify(outcome.result)}`;
    const { code, message } = outcome.error;
    const isExpected = code === test.expectError || message.includes(test.expectError);
    return isExpected ? undefined : `expected the error ${test.expectError}, got ${code}: ${message}`;
  }
  if (outcome.status !== 'succeeded') return `${outcome.status} (${outcome.error.code}): ${outcome.error.message}`;
  if (!test.expect) return undefined;
  if ('result' in test.expect) {
    if (isDeepStrictEqual(test.expect.result, outcome.result ?? null)) return undefined;
    return `expected ${JSON.stringify(test.expect.result)}, got ${JSON.stringify(outcome.result)}`;
  }
  const { text } = test.expect.expression;
  const scope = dataScope({ result: outcome.result, history }, document.constants);
  const holds = await compileExpression(text, expressionLimits(document.limits)).evaluate(scope);
  return holds === true ? undefined : `${text} is ${JSON.stringify(holds)} for ${JSON.stringify(outcome.result)}`;
}

function comparePath(test: GraphTest, path: readonly string[]): string | undefined {
  if (!test.path || isDeepStrictEqual([...test.path], [...path])) return undefined;
  return `expected the path ${test.path.join(' → ')}, went ${path.join(' → ')}`;
}
