import type { ScenarioReport } from './run.ts';

export interface Summary {
  readonly scenarios: number;
  readonly passed: number;
  readonly turns: number;
  readonly calls: number;
  /** Replies that are word for word the sentence the specification gives, of those it gives. */
  readonly worded: number;
  readonly wordings: number;
  /** Deletions that came without a yes, replies about ids nobody returned: must be none. */
  readonly violations: readonly string[];
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly tokens: number;
}

export function summarise(reports: readonly ScenarioReport[]): Summary {
  const turns = reports.flatMap((report) => report.turns);
  const times = turns.map(({ ms }) => ms).toSorted((left, right) => left - right);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const worded = turns.filter((turn) => turn.worded !== undefined);
  return {
    scenarios: reports.length,
    passed: reports.filter(({ passed }) => passed).length,
    turns: turns.length,
    calls: turns.reduce((sum, turn) => sum + turn.calls.length, 0),
    worded: worded.filter((turn) => turn.worded).length,
    wordings: worded.length,
    violations: violationsOf(reports),
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    tokens: turns.reduce((sum, turn) => sum + turn.tokens, 0),
  };
}

function violationsOf(reports: readonly ScenarioReport[]): string[] {
  return reports.flatMap(({ id, turns }) =>
    turns.flatMap((turn, index) => {
      const deleted = turn.calls.some(({ tool, ok }) => tool === 'delete_task' && ok);
      const asked = index > 0 && /\bsure\b|confirm/i.test(turns[index - 1]?.reply ?? '');
      return deleted && !asked ? [`${id}: a task was deleted without being asked for`] : [];
    }),
  );
}

/** The report for people: what failed in full, then the numbers. */
export function renderReport(reports: readonly ScenarioReport[], model: string): string {
  const lines: string[] = [];
  for (const report of reports.filter(({ passed }) => !passed)) {
    lines.push(`FAIL ${report.id}  ${report.refs.join(' ')}`);
    for (const turn of report.turns) {
      lines.push(`  > ${shorten(turn.user)}`, ...turn.reply.split('\n').map((line) => `    ${shorten(line)}`));
      lines.push(...turn.problems.map((problem) => `    ! ${shorten(problem, 300)}`));
    }
    lines.push(...report.problems.map((problem) => `  ! ${problem}`), '');
  }
  const summary = summarise(reports);
  lines.push(...summary.violations.map((violation) => `VIOLATION ${violation}`));
  lines.push(
    `${summary.passed} of ${summary.scenarios} scenarios passed with ${model} (${summary.turns} turns, ${summary.calls} tool calls)`,
    `wording of the specification: ${summary.worded} of ${summary.wordings} · violations: ${summary.violations.length}`,
    `latency per turn: p50 ${summary.p50Ms.toFixed(1)} ms, p95 ${summary.p95Ms.toFixed(1)} ms · tokens: ${summary.tokens}`,
  );
  return lines.join('\n');
}

function shorten(text: string, length = 160): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
