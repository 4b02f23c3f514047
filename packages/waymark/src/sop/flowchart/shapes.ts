/** The shapes of `@{ shape: … }`: each row is one shape, its short name first, then its other names. */
const shapeNames = [
  ['rect', 'proc', 'process', 'rectangle'],
  ['rounded', 'event'],
  ['stadium', 'terminal', 'pill'],
  ['fr-rect', 'subprocess', 'subproc', 'framed-rectangle', 'subroutine'],
  ['cyl', 'db', 'database', 'cylinder'],
  ['circle', 'circ'],
  ['bang'],
  ['cloud'],
  ['diam', 'decision', 'diamond', 'question'],
  ['hex', 'hexagon', 'prepare'],
  ['lean-r', 'lean-right', 'in-out'],
  ['lean-l', 'lean-left', 'out-in'],
  ['trap-b', 'priority', 'trapezoid-bottom', 'trapezoid'],
  ['trap-t', 'manual', 'trapezoid-top', 'inv-trapezoid'],
  ['dbl-circ', 'double-circle', 'doublecircle'],
  ['text'],
  ['notch-rect', 'card', 'notched-rectangle'],
  ['lin-rect', 'lined-rectangle', 'lined-process', 'lin-proc', 'shaded-process'],
  ['sm-circ', 'start', 'small-circle'],
  ['fr-circ', 'stop', 'framed-circle'],
  ['fork', 'join'],
  ['hourglass', 'collate'],
  ['brace', 'comment', 'brace-l'],
  ['brace-r'],
  ['braces'],
  ['bolt', 'com-link', 'lightning-bolt'],
  ['doc', 'document'],
  ['delay', 'half-rounded-rectangle'],
  ['h-cyl', 'das', 'horizontal-cylinder'],
  ['lin-cyl', 'disk', 'lined-cylinder'],
  ['curv-trap', 'curved-trapezoid', 'display'],
  ['div-rect', 'div-proc', 'divided-rectangle', 'divided-process'],
  ['tri', 'extract', 'triangle'],
  ['win-pane', 'internal-storage', 'window-pane'],
  ['f-circ', 'junction', 'filled-circle'],
  ['notch-pent', 'loop-limit', 'notched-pentagon'],
  ['flip-tri', 'manual-file', 'flipped-triangle'],
  ['sl-rect', 'manual-input', 'sloped-rectangle'],
  ['docs', 'documents', 'st-doc', 'stacked-document'],
  ['st-rect', 'procs', 'processes', 'stacked-rectangle'],
  ['bow-rect', 'stored-data', 'bow-tie-rectangle'],
  ['cross-circ', 'summary', 'crossed-circle'],
  ['tag-doc', 'tagged-document'],
  ['tag-rect', 'tagged-rectangle', 'tag-proc', 'tagged-process'],
  ['flag', 'paper-tape'],
  ['odd'],
  ['lin-doc', 'lined-document'],
  ['state'],
  ['choice'],
  ['note'],
  ['icon'],
  ['anchor'],
] as const;

const shortNames = new Map<string, string>(shapeNames.flatMap((names) => names.map((name) => [name, names[0]])));

/** The short name of a shape, or undefined when mermaid knows no such shape. */
export function shortShapeName(name: string): string | undefined {
  return shortNames.get(name);
}

export function allShapeNames(): Iterable<string> {
  return shortNames.keys();
}
