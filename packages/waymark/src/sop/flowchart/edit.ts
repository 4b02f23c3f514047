import type { Flowchart } from './flowchart.ts';

/** Text to put in place of a range. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap; everything outside them stays as it is, byte for byte. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, text } of edits.toSorted((left, right) => left.start - right.start)) {
    if (start < from) throw new RangeError('edits overlap');
    result += source.slice(from, start) + text;
    from = end;
  }
  return result + source.slice(from);
}

/**
 * Gives a node another label where its present one is written, or behind its id where it has none.
 * Undefined where the flowchart has no such node.
 */
export function relabelNode(flowchart: Flowchart, id: string, label: string): TextEdit | undefined {
  const mention = flowchart.nodes.get(id)?.mentions.findLast((one) => one.label !== undefined);
  const first = flowchart.nodes.get(id)?.mentions[0];
  const quoted = `"${escapeLabel(label)}"`;
  if (mention?.label) {
    const { form, range } = mention.label;
    const width = form === 'markdown' ? 2 : form === 'quoted' ? 1 : 0;
    return { start: range.start - width, end: range.end + width, text: quoted };
  }
  return first && { start: first.idRange.end, end: first.idRange.end, text: `[${quoted}]` };
}

/** Gives an edge another label; null takes it away. */
export function relabelEdge(flowchart: Flowchart, edgeIndex: number, label: string | null): TextEdit | undefined {
  const link = flowchart.edges[edgeIndex]?.link;
  if (!link?.label) {
    if (!link || label === null) return undefined;
    return { start: link.range.end, end: link.range.end, text: `|"${escapeLabel(label)}"|` };
  }
  const { form, range } = link.label;
  const width = form === 'markdown' ? 2 : form === 'quoted' ? 1 : 0;
  const text = label === null ? '" "' : `"${escapeLabel(label)}"`;
  return { start: range.start - width, end: range.end + width, text };
}

function escapeLabel(label: string): string {
  return label.replaceAll('"', '#quot;');
}
