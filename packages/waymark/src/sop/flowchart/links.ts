import type { ArrowHead, Stroke } from './syntax.ts';

interface LinkForm {
  readonly stroke: Stroke;
  readonly head: ArrowHead;
  readonly bothWays: boolean;
  readonly mismatched: boolean;
}

const heads: Readonly<Record<string, ArrowHead>> = { '>': 'point', '<': 'point', o: 'circle', x: 'cross' };

/** Reads an arrow such as `<-.->`, or the two halves around a label: `<--` and `-->`. */
export function linkOf(line: string, opening?: string): LinkForm {
  const head = heads[line.at(-1) ?? ''] ?? 'none';
  const twoHeads = heads[line[0] ?? ''] === head;
  const stroke = strokeOf(twoHeads ? line.slice(1) : line);
  const tail = opening && heads[opening[0] ?? ''];
  const mismatched =
    opening !== undefined &&
    (strokeOf(tail ? opening.slice(1) : opening) !== stroke || (tail !== undefined && (tail !== head || twoHeads)));
  return { stroke, head, bothWays: !mismatched && (twoHeads || tail !== undefined), mismatched };
}

/** Of an arrow without a head in front: a stray head there, as in `x==>`, makes it an ordinary line. */
function strokeOf(arrow: string): Stroke {
  if (arrow.includes('.')) return 'dotted';
  if (arrow.startsWith('=')) return 'thick';
  return arrow.startsWith('~') ? 'invisible' : 'normal';
}
