import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EvalStage, openStage } from '../../cli/eval-stage.ts';
import { parseScenarios, renderReport, runScenario, type ScenarioReport, summarise } from './index.ts';

const file = parseScenarios(
  readFileSync(new URL('../../../../../examples/tasks/scenarios.yaml', import.meta.url), 'utf8'),
);

describe('our scenarios', () => {
  let stage: EvalStage;
  const reports: ScenarioReport[] = [];
  beforeAll(async () => {
    stage = await openStage('offline');
    for (const scenario of file.scenarios) reports.push(await runScenario(scenario, file, stage));
  });
  afterAll(() => stage.close());

  const proven = (...ids: readonly string[]) => {
    for (const id of ids) {
      const citing = reports.filter(({ refs }) => refs.includes(id));
      expect(citing.length, `${id} has no scenario`).toBeGreaterThan(0);
      expect(
        citing.filter(({ passed }) => !passed).map((report) => renderReport([report], 'offline')),
        id,
      ).toEqual([]);
    }
  };

  test('all pass', () => {
    expect(reports.filter(({ passed }) => !passed).map((report) => renderReport([report], 'offline'))).toEqual([]);
  });

  test('cover the user stories [US1-1] [US1-2] [US1-3] [US2-1] [US2-2] [US2-3] [US3-1] [US3-2] [US3-3] [US4-1] [US4-2] [US4-3] [US5-1] [US5-2]', () => {
    proven(
      'US1-1',
      'US1-2',
      'US1-3',
      'US2-1',
      'US2-2',
      'US2-3',
      'US3-1',
      'US3-2',
      'US3-3',
      'US4-1',
      'US4-2',
      'US4-3',
      'US5-1',
      'US5-2',
    );
  });

  test('cover the edge cases [EDGE-1] [EDGE-2] [EDGE-3] [EDGE-4] [EDGE-5] [EDGE-6]', () => {
    proven('EDGE-1', 'EDGE-2', 'EDGE-3', 'EDGE-4', 'EDGE-5', 'EDGE-6');
  });

  test('cover recognition and tools [ABR-001] [ABR-002] [ABR-003] [ABR-004] [ABR-005] [ABR-006] [ABR-007] [ABR-008] [ABR-009] [ABR-010] [ABR-011] [ABR-012]', () => {
    proven(
      'ABR-001',
      'ABR-002',
      'ABR-003',
      'ABR-004',
      'ABR-005',
      'ABR-006',
      'ABR-007',
      'ABR-008',
      'ABR-009',
      'ABR-010',
      'ABR-011',
      'ABR-012',
    );
  });

  test('cover confirmation and errors [ABR-013] [ABR-014] [ABR-015] [ABR-016] [ABR-017] [ABR-018] [ABR-019] [ABR-020] [ABR-021]', () => {
    proven('ABR-013', 'ABR-014', 'ABR-015', 'ABR-016', 'ABR-017', 'ABR-018', 'ABR-019', 'ABR-020', 'ABR-021');
  });

  test('cover what is forbidden [ABR-022] [ABR-023] [ABR-024] [ABR-025] [ABR-026] [ABR-027]', () => {
    proven('ABR-022', 'ABR-023', 'ABR-024', 'ABR-025', 'ABR-026', 'ABR-027');
  });

  test('cover the success criteria [SC-003] [SC-004] [SC-005] [SC-006] [SC-007] [SC-008]', () => {
    proven('SC-003', 'SC-004', 'SC-005', 'SC-006', 'SC-007', 'SC-008');
    expect(summarise(reports).violations).toEqual([]);
  });

  test('every sentence the specification gives is said word for word', () => {
    const { worded, wordings } = summarise(reports);
    expect(wordings).toBeGreaterThanOrEqual(12);
    expect(worded).toBe(wordings);
  });
});

describe('the judge of scenarios', () => {
  const judge = (turn: string) => parseScenarios(`scenarios:\n- {id: one, turns: [${turn}]}`);

  test('fails what does not hold', async () => {
    const stage = await openStage('offline');
    const wrong = judge(
      '{user: "add eggs", calls: [{add_task: {title: milk}}], reply: [bread], reply_not: [eggs], reads: 1, attempts: {add_task: 2}}',
    );
    const report = await runScenario(wrong.scenarios[0] as never, { ...wrong, scenarios: wrong.scenarios }, stage);
    await stage.close();
    expect(report.passed).toBe(false);
    expect(report.turns[0]?.problems).toHaveLength(5);
    expect(renderReport([report], 'offline')).toContain('0 of 1 scenarios passed');
  });

  test('says where a file is wrong', () => {
    expect(() => parseScenarios('scenarios: 5')).toThrow('scenarios');
    expect(() => parseScenarios('a: [')).toThrow('not YAML');
    expect(() => parseScenarios('scenarios: [{id: x, given: nowhere, turns: [{user: hi}]}]')).toThrow(
      'no fixture "nowhere"',
    );
  });
});
