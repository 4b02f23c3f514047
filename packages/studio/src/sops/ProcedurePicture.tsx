import { useCallback, useMemo } from 'react';
import type { OutlineEdge } from '../graphs/api.ts';
import { Canvas } from '../graphs/Canvas.tsx';
import type { NodeState } from '../graphs/node-looks.ts';
import type { Coverage, Procedure } from './api.ts';
import { edgeKey } from './conversation.ts';
import { outlineOf, type PlacedProblem, stepLooks, worstByStep } from './outline.ts';

interface ProcedurePictureProps {
  readonly procedure: Procedure;
  readonly problems: readonly PlacedProblem[];
  readonly coverage: Coverage | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (step: string | undefined) => void;
}

/** The flowchart, with doubts marked where they are and, if wanted, what was walked. */
export function ProcedurePicture({ procedure, problems, coverage, selected, onSelect }: ProcedurePictureProps) {
  const outline = useMemo(() => outlineOf(procedure), [procedure]);
  const worst = useMemo(() => worstByStep(problems), [problems]);
  const visits = useMemo(() => coverage && new Map(Object.entries(coverage.visits)), [coverage]);
  const states = useMemo(
    () => visits && new Map<string, NodeState>([...visits].map(([id, count]) => [id, count > 0 ? 'done' : 'idle'])),
    [visits],
  );
  const notes = useMemo(
    () =>
      new Map(
        [...(visits ?? [])].map(([id, count]) => [
          id,
          `${id} · ${count > 0 ? `walked ${times(count)}` : 'never walked'}`,
        ]),
      ),
    [visits],
  );
  const edgeTone = useCallback(
    ({ from, to }: OutlineEdge) => {
      if (!coverage) return 'plain';
      return coverage.edges.missed.includes(edgeKey(from, to)) ? 'faint' : 'walked';
    },
    [coverage],
  );
  return (
    <Canvas
      tool={outline}
      label={`Flowchart of ${procedure.agent}`}
      looks={stepLooks}
      problems={worst}
      notes={notes}
      edgeTone={edgeTone}
      selected={selected}
      onSelect={onSelect}
      focus={selected ?? procedure.entry_node}
      roomy
      {...(states ? { states } : {})}
    />
  );
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
