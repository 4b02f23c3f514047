import type { GraphTool, NodeType } from '../model.ts';
import { detailOf, labelOfEdge } from './describe.ts';
import { type Box, layOut, type Layout, type Line } from './layout.ts';

const colours: Record<NodeType, string> = {
  entry: '#2f9e44',
  exit: '#2f9e44',
  mcp: '#1971c2',
  transform: '#6741d9',
  switch: '#e8590c',
  parallel: '#0c8599',
  join: '#0c8599',
  foreach: '#5c940d',
  call: '#1864ab',
  wait: '#868e96',
  approve: '#c2255c',
};

const margin = 70;

/** A tool's graph as a picture that needs nothing else; it follows the light or dark setting of who looks at it. */
export function renderSvg(tool: GraphTool): string {
  const layout = layOut(tool.body);
  const width = Math.round(layout.width + 2 * margin);
  const height = Math.round(layout.height + 2 * margin);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(`Graph of the tool ${tool.name}`)}">
<title>${escape(tool.title ?? tool.name)}</title>
<style>
svg { color-scheme: light dark; --ink: #212529; --paper: #ffffff; --faint: #868e96; background: var(--paper); font: 13px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { svg { --ink: #f1f3f5; --paper: #1a1b1e; --faint: #909296; } }
text { fill: var(--ink); } .id { font-weight: 600; } .detail, .label { font-size: 11px; fill: var(--faint); }
.label { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
path { fill: none; stroke: var(--faint); stroke-width: 1.5; } .error { stroke-dasharray: 5 4; }
rect { fill: var(--paper); stroke-width: 1.5; }
</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" style="fill:var(--faint);stroke:none"/></marker></defs>
<g transform="translate(${margin} ${margin})">
${drawLayout(layout)}
</g>
</svg>
`;
}

function drawLayout(layout: Layout): string {
  return [...layout.boxes.map(drawBox), ...layout.lines.map(drawLine)].join('\n');
}

function drawBox({ node, x, y, width, height, inner }: Box): string {
  const colour = colours[node.type];
  const radius = node.type === 'entry' || node.type === 'exit' ? 27 : 8;
  const detail = detailOf(node);
  const left = round(x + 14);
  const lines = [
    `<g><title>${escape(`${node.type} ${node.id}`)}</title>`,
    `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}" stroke="${colour}"/>`,
    `<rect x="${round(x)}" y="${round(y + 10)}" width="4" height="${round(Math.min(height, 54) - 20)}" stroke="none" style="fill:${colour}"/>`,
    `<text class="id" x="${left}" y="${round(y + (detail ? 22 : 32))}">${escape(clip(node.title ?? node.id, width))}</text>`,
    ...(detail
      ? [`<text class="detail" x="${left}" y="${round(y + 39)}">${escape(clip(detail, width + 20))}</text>`]
      : []),
    `<text class="detail" x="${round(x + width - 10)}" y="${round(y + 14)}" text-anchor="end" style="fill:${colour}">${node.type}</text>`,
    ...(inner
      ? [`<g transform="translate(${round(x + (width - inner.width) / 2)} ${round(y + 46)})">${drawLayout(inner)}</g>`]
      : []),
    '</g>',
  ];
  return lines.join('');
}

function drawLine({ from, to, edge, isBack }: Line): string {
  const startX = from.x + from.width / 2;
  const endX = to.x + to.width / 2;
  const startY = from.y + from.height;
  const shape = edge.kind === 'error' ? ' class="error"' : '';
  const text = labelOfEdge(from.node, edge);
  if (isBack) {
    const side = Math.max(from.x + from.width, to.x + to.width);
    const out = side + 46;
    const fromY = from.y + from.height / 2;
    const toY = to.y + to.height / 2;
    const path = `M${round(from.x + from.width)} ${round(fromY)} C${round(out)} ${round(fromY)} ${round(out)} ${round(toY)} ${round(to.x + to.width + 2)} ${round(toY)}`;
    return `<path d="${path}"${shape} marker-end="url(#arrow)"/>${drawLabel(text, out - 14, (fromY + toY) / 2)}`;
  }
  const bend = Math.max(24, (to.y - startY) / 2);
  const path = `M${round(startX)} ${round(startY)} C${round(startX)} ${round(startY + bend)} ${round(endX)} ${round(to.y - bend)} ${round(endX)} ${round(to.y - 2)}`;
  return `<path d="${path}"${shape} marker-end="url(#arrow)"/>${drawLabel(text, (startX + endX) / 2, (startY + to.y) / 2 + 4)}`;
}

function drawLabel(text: string, x: number, y: number): string {
  return text === ''
    ? ''
    : `<text class="label" x="${round(x)}" y="${round(y)}" text-anchor="middle">${escape(text)}</text>`;
}

function clip(text: string, width: number): string {
  const longest = Math.max(8, Math.floor((width - 28) / 6.4));
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
