import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { neighbourTowards, placeNodes, type Point } from './graph-layout.ts';
import { type Graph, type GraphNode, lookOf } from './graph-model.ts';
import type { Strings } from './strings.ts';

interface PictureProps {
  readonly graph: Graph;
  readonly selected: string | undefined;
  readonly strings: Strings;
  readonly wheelZooms: boolean;
  onSelect(id: string | undefined): void;
}

interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const manyNodes = 80;
const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

export function Picture({ graph, selected, strings, wheelZooms, onSelect }: PictureProps) {
  const placed = useMemo(() => placeNodes(graph), [graph]);
  const [stretch, setStretch] = useState(1.35);
  const points = useMemo(() => placed.map(({ x, y }) => ({ x: x * stretch, y })), [placed, stretch]);
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const [active, setActive] = useState(-1);
  const svg = useRef<SVGSVGElement>(null);
  const drag = useRef<Point | undefined>(undefined);

  const fit = () => {
    const box = svg.current?.getBoundingClientRect();
    if (!box || box.width === 0) return;
    setStretch(Math.round(Math.min(1.6, Math.max(0.85, box.width / box.height)) * 10) / 10);
    setView(fitting(points, box));
  };
  useEffect(fit, [points]);
  useEffect(() => {
    const observer = new ResizeObserver(fit);
    if (svg.current) observer.observe(svg.current);
    return () => observer.disconnect();
  }, [points]);
  useEffect(() => setActive(-1), [graph]);

  const zoom = (factor: number, at?: Point) => {
    const box = svg.current?.getBoundingClientRect();
    const middle = at ?? { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 };
    setView(({ x, y, scale }) => {
      const next = Math.min(4, Math.max(0.08, scale * factor));
      const change = next / scale;
      return { scale: next, x: middle.x - (middle.x - x) * change, y: middle.y - (middle.y - y) * change };
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = arrows[event.key];
    if (direction) setActive(neighbourTowards(points, active, direction));
    else if (event.key === 'Enter' || event.key === ' ') onSelect(graph.nodes[active]?.id);
    else if (event.key === 'Escape') onSelect(undefined);
    else if (event.key === '+') zoom(1.25);
    else if (event.key === '-') zoom(0.8);
    else if (event.key === '0') fit();
    else return;
    event.preventDefault();
  };

  const sparse = graph.nodes.length <= manyNodes || view.scale > 0.9;
  const drawing = useMemo(
    () => (
      <Drawing
        graph={graph}
        points={points}
        selected={selected}
        active={active}
        labelled={sparse}
        strings={strings}
        onSelect={onSelect}
      />
    ),
    [graph, points, selected, active, sparse, strings, onSelect],
  );

  return (
    <div class="picture">
      <svg
        ref={svg}
        role="application"
        aria-label={strings.graphHelp}
        aria-activedescendant={active < 0 ? undefined : `node-${active}`}
        tabindex={0}
        onKeyDown={onKeyDown}
        onWheel={(event) => {
          if (!wheelZooms && !event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          zoom(event.deltaY < 0 ? 1.12 : 0.89, { x: event.offsetX, y: event.offsetY });
        }}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (!from || event.buttons === 0) return;
          drag.current = { x: event.clientX, y: event.clientY };
          setView(({ x, y, scale }) => ({ scale, x: x + event.clientX - from.x, y: y + event.clientY - from.y }));
        }}
        onPointerUp={() => {
          drag.current = undefined;
        }}
      >
        <g
          transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}
          style={`--label: ${labelSize(view.scale)}px`}
        >
          {drawing}
        </g>
      </svg>
      <div class="zoom">
        <button type="button" aria-label={strings.zoomOut} onClick={() => zoom(0.8)}>
          −
        </button>
        <button type="button" aria-label={strings.zoomIn} onClick={() => zoom(1.25)}>
          +
        </button>
        <button type="button" aria-label={strings.fit} onClick={fit}>
          ⤢
        </button>
      </div>
    </div>
  );
}

interface DrawingProps {
  readonly graph: Graph;
  readonly points: readonly Point[];
  readonly selected: string | undefined;
  readonly active: number;
  readonly labelled: boolean;
  readonly strings: Strings;
  onSelect(id: string): void;
}

function Drawing({ graph, points, selected, active, labelled, strings, onSelect }: DrawingProps) {
  const index = new Map(graph.nodes.map(({ id }, at) => [id, at]));
  return (
    <>
      {graph.edges.map(({ from, to, type }) => {
        const [a, b] = [points[index.get(from) ?? -1], points[index.get(to) ?? -1]];
        if (!a || !b) return null;
        const near = from === selected || to === selected;
        return (
          <path
            key={`${from} ${to} ${type}`}
            class={`edge ${type}${near ? ' near' : ''}`}
            d={`M${a.x} ${a.y}L${b.x} ${b.y}`}
          />
        );
      })}
      {graph.nodes.map((node, at) => {
        const look = lookOf(node);
        const isSelected = node.id === selected;
        const kind = strings.kind[node.kind] ?? node.kind;
        const told = look === 'outcome' ? kind : `${kind}, ${strings.status[look] ?? look}`;
        const classes = ['node', look, ...(isSelected ? ['selected'] : []), ...(at === active ? ['active'] : [])];
        return (
          <g
            key={node.id}
            id={`node-${at}`}
            class={classes.join(' ')}
            role="img"
            aria-label={`${node.label}: ${told}`}
            transform={`translate(${points[at]?.x ?? 0} ${points[at]?.y ?? 0})`}
            onClick={() => onSelect(node.id)}
          >
            <rect class="hit" x={-34} y={-16} width={68} height={56} />
            <Shape look={look} />
            {(labelled || isSelected || at === active || look === 'outcome') && <Label node={node} />}
          </g>
        );
      })}
    </>
  );
}

function Shape({ look }: { readonly look: ReturnType<typeof lookOf> }) {
  if (look === 'outcome') {
    return (
      <>
        <rect class="halo" x={-18} y={-18} width={36} height={36} rx={11} />
        <rect class="shape" x={-13} y={-13} width={26} height={26} rx={8} />
        <path class="sign" d="M-4 6V-6L5 -3L-4 0" />
      </>
    );
  }
  return (
    <>
      <circle class="halo" r={14} />
      <circle class="shape" r={9} />
      {look === 'understood' && <path class="sign" d="M-4 0L-1 3.2L4 -3" />}
      {look === 'teaching' && <path class="sign" d="M-3.5 0H3.5" />}
    </>
  );
}

function Label({ node }: { readonly node: GraphNode }) {
  const lines = inLines(node.label, node.kind === 'outcome' ? 20 : 16);
  const top = node.kind === 'outcome' ? 29 : 24;
  return (
    <text aria-hidden="true">
      {lines.map((line, at) => (
        <tspan key={line} x={0} y={top} dy={at === 0 ? undefined : `${at * 1.15}em`}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** Small pictures get larger letters, so that they stay readable. */
function labelSize(scale: number): number {
  return Math.min(20, Math.max(12, Math.round(11 / scale)));
}

/** At most three lines of about this many letters, broken between words. */
function inLines(label: string, width: number): string[] {
  const lines = [''];
  for (const word of label.split(/\s+/)) {
    const last = lines.at(-1) ?? '';
    if (last === '' || last.length + 1 + word.length <= width)
      lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    else lines.push(word);
  }
  return lines.length <= 3 ? lines : [...lines.slice(0, 2), `${lines[2] ?? ''} …`];
}

function fitting(
  points: readonly Point[],
  { width, height }: { readonly width: number; readonly height: number },
): View {
  if (points.length === 0 || width === 0) return { x: width / 2, y: height / 2, scale: 1 };
  const bounds = points.reduce(
    ({ left, right, top, bottom }, { x, y }) => ({
      left: Math.min(left, x),
      right: Math.max(right, x),
      top: Math.min(top, y),
      bottom: Math.max(bottom, y),
    }),
    { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity },
  );
  const [side, head, foot] = [70, 26, 84];
  const scale = Math.min(
    1.25,
    width / (bounds.right - bounds.left + 2 * side),
    height / (bounds.bottom - bounds.top + head + foot),
  );
  return {
    scale,
    x: width / 2 - ((bounds.left + bounds.right) / 2) * scale,
    y: height / 2 - ((bounds.top - head + bounds.bottom + foot) / 2) * scale,
  };
}
