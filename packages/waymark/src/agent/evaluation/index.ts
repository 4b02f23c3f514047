export type { TaskState } from './check.ts';
export { renderReport, summarise } from './report.ts';
export { runScenario, type ScenarioReport, type Stage } from './run.ts';
export { type Fault, parseScenarios, ScenarioError, type ScenarioFile, type TaskSpec } from './scenario.ts';
