import { CircleStop, CirclePlay, GitFork, Square, SquareCheck } from 'lucide-react';
import type { OutlineEdge, OutlineNode } from '../graphs/api.ts';
import type { Look } from '../graphs/node-looks.ts';
import type { Problem, Procedure, ProcedureFile, Step } from './api.ts';

export const stepLooks: Readonly<Record<string, Look>> = {
  start: { icon: CirclePlay, word: 'Start' },
  end: { icon: CircleStop, word: 'End' },
  decision: { icon: GitFork, word: 'Decision' },
  step: { icon: Square, word: 'Step' },
  instructed: { icon: SquareCheck, word: 'Step with instructions' },
};

/** What a step is for, whatever shape it is drawn in. */
export function kindOf(step: Step, { entry_node: entry, prompts }: Procedure): string {
  if (step.id === entry) return 'start';
  if (step.terminal) return 'end';
  if (step.type === 'rhombus') return 'decision';
  return prompts[step.id]?.prompt ? 'instructed' : 'step';
}

/** The procedure in the form the picture of a graph takes. */
export function outlineOf(procedure: Procedure): { nodes: OutlineNode[]; edges: OutlineEdge[] } {
  return {
    nodes: procedure.nodes.map((step) => ({
      id: step.id,
      type: kindOf(step, procedure),
      title: step.description,
      line: step.line,
      detail: step.id,
    })),
    edges: procedure.edges.map(({ from, to, condition, style }) => ({
      from,
      to,
      kind: style === 'dotted' ? 'dotted' : 'next',
      ...(condition === null ? {} : { label: condition }),
    })),
  };
}

/** The procedure of a file that could be read as one. */
export function procedureOf(file: ProcedureFile): Procedure | undefined {
  return file.nodes === undefined ? undefined : (file as Procedure);
}

export interface PlacedProblem extends Problem {
  /** The step it is about. */
  readonly step?: string;
}

/** Which step each problem is about: the one that stands there, else the first one it names. */
export function placeProblems(problems: readonly Problem[], steps: readonly Step[]): PlacedProblem[] {
  const ids = new Set(steps.map(({ id }) => id));
  return problems.map((problem) => {
    const there = steps.find(({ line, column }) => line === problem.line && column === problem.col)?.id;
    const step = there ?? problem.message.match(/[\p{L}\p{N}_-]+/gu)?.find((word) => ids.has(word));
    return step === undefined ? problem : { ...problem, step };
  });
}

/** The worst that is known of each step. */
export function worstByStep(problems: readonly PlacedProblem[]): Map<string, 'error' | 'warning'> {
  const worst = new Map<string, 'error' | 'warning'>();
  for (const { step, severity } of problems) {
    if (step !== undefined && worst.get(step) !== 'error') worst.set(step, severity);
  }
  return worst;
}
