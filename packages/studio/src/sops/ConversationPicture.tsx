import { useCallback, useMemo } from 'react';
import type { OutlineEdge } from '../graphs/api.ts';
import { Canvas } from '../graphs/Canvas.tsx';
import type { NodeState } from '../graphs/node-looks.ts';
import type { Procedure } from './api.ts';
import { type ConversationView, edgeKey } from './conversation.ts';
import { outlineOf, stepLooks } from './outline.ts';

interface ConversationPictureProps {
  readonly procedure: Procedure;
  readonly view: ConversationView;
  readonly selected: string | undefined;
  readonly onSelect: (step: string | undefined) => void;
}

/** The flowchart with the way that was walked, where it stands, and what was refused. */
export function ConversationPicture({ procedure, view, selected, onSelect }: ConversationPictureProps) {
  const outline = useMemo(() => outlineOf(procedure), [procedure]);
  const { states, notes, refused } = useMemo(() => lookOf(view), [view]);
  const edgeTone = useCallback(
    ({ from, to, kind }: OutlineEdge) =>
      kind !== 'refused' && view.walked.has(edgeKey(from, to)) ? 'walked' : 'plain',
    [view],
  );
  return (
    <Canvas
      tool={outline}
      label={`Conversation in ${procedure.agent}`}
      looks={stepLooks}
      states={states}
      counts={view.visits}
      notes={notes}
      overlay={refused}
      edgeTone={edgeTone}
      selected={selected}
      onSelect={onSelect}
      focus={view.current}
      roomy
    />
  );
}

function lookOf(view: ConversationView) {
  const states = new Map<string, NodeState>();
  const notes = new Map<string, string>();
  const refused = new Map<string, OutlineEdge>();
  for (const { from, to } of view.refused) {
    states.set(to, 'failed');
    notes.set(to, `${to} · move refused`);
    if (from !== null) refused.set(edgeKey(from, to), { from, to, kind: 'refused' });
  }
  for (const id of view.visits.keys()) {
    states.set(id, 'done');
    notes.set(id, `${id} · visited`);
  }
  if (view.current !== undefined) {
    states.set(view.current, 'running');
    notes.set(view.current, `${view.current} · ${view.complete ? 'complete' : 'here'}`);
  }
  return { states, notes, refused: [...refused.values()] };
}
