import '@xyflow/react/dist/style.css';
import { useComputedColorScheme } from '@mantine/core';
import {
  Background,
  BaseEdge,
  Controls,
  type Edge,
  type EdgeProps,
  Handle,
  MarkerType,
  MiniMap,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
  type Rect,
} from '@xyflow/react';
import { TriangleAlert } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import type { OutlineEdge, ToolOutline } from './api.ts';
import classes from './Canvas.module.css';
import { layoutGraph, nodeSize, type Point, roomySize, routeThrough } from './layout.ts';
import { type Look, nodeLooks, type NodeState, stateWords, unknownLook } from './node-looks.ts';

export type EdgeTone = 'plain' | 'walked' | 'faint';

interface CanvasProps {
  readonly tool: Pick<ToolOutline, 'nodes' | 'edges'>;
  readonly states?: ReadonlyMap<string, NodeState>;
  readonly counts?: ReadonlyMap<string, number>;
  readonly breakpoints?: ReadonlySet<string>;
  readonly selected?: string | undefined;
  readonly onSelect?: (node: string | undefined) => void;
  readonly label: string;
  /** The picture and the word for each kind of node, where they are not those of a graph. */
  readonly looks?: Readonly<Record<string, Look>>;
  /** Said on a node instead of its state. */
  readonly notes?: ReadonlyMap<string, string>;
  readonly problems?: ReadonlyMap<string, 'error' | 'warning'>;
  readonly edgeTone?: (edge: OutlineEdge) => EdgeTone;
  /** Drawn over the picture without changing where anything stands. */
  readonly overlay?: readonly OutlineEdge[];
  /** Larger boxes, for nodes titled with sentences. */
  readonly roomy?: boolean;
  /** Kept in sight as it changes. */
  readonly focus?: string | undefined;
}

interface BoxData extends Record<string, unknown> {
  readonly title: string;
  readonly note: string;
  readonly look: Look;
  readonly state: NodeState;
  readonly count: number;
  readonly breakpoint: boolean;
  readonly problem: 'error' | 'warning' | undefined;
  readonly roomy: boolean;
}

type Box = Node<BoxData, 'box'>;

const nodeTypes = { box: memo(BoxNode) };
const edgeTypes = { routed: memo(RoutedEdge) };

/** A graph as a picture: laid out by itself, with what is known of its nodes on them. */
export function Canvas(props: CanvasProps) {
  const { tool, states, counts, breakpoints, selected, onSelect, label, focus, roomy = false } = props;
  const { looks = nodeLooks, notes, problems, edgeTone, overlay } = props;
  const scheme = useComputedColorScheme('light');
  const [flow, setFlow] = useState<ReactFlowInstance<Box>>();
  const region = useRef<HTMLDivElement>(null);
  const size = roomy ? roomySize : nodeSize;
  const { places, bends } = useMemo(() => layoutGraph(tool.nodes, tool.edges, size), [tool, size]);
  const nodes = useMemo<Box[]>(
    () =>
      tool.nodes.map((node) => {
        const state = states?.get(node.id) ?? 'idle';
        const look = looks[node.type] ?? unknownLook;
        const problem = problems?.get(node.id);
        const note = notes?.get(node.id) ?? (state === 'idle' ? (node.detail ?? look.word) : stateWords[state]);
        const doubt = problem && (problem === 'error' ? 'has an error' : 'has a warning');
        const spoken = [look.word, node.title, notes?.get(node.id) ?? stateWords[state], doubt];
        return {
          id: node.id,
          type: 'box',
          position: places.get(node.id) ?? { x: 0, y: 0 },
          ...size,
          selected: node.id === selected,
          ariaLabel: spoken.filter(Boolean).join(' '),
          data: {
            title: node.title,
            note,
            look,
            state,
            count: counts?.get(node.id) ?? 0,
            breakpoint: breakpoints?.has(node.id) ?? false,
            problem,
            roomy,
          },
        };
      }),
    [tool, places, size, states, counts, breakpoints, selected, looks, notes, problems, roomy],
  );
  const edges = useMemo(
    () =>
      [...tool.edges, ...(overlay ?? [])].map((edge, index) =>
        toEdge(edge, index, edgeTone?.(edge) ?? 'plain', bends.get(index)),
      ),
    [tool, overlay, edgeTone, bends],
  );
  useEffect(() => {
    const place = focus === undefined ? undefined : places.get(focus);
    const frame = region.current?.getBoundingClientRect();
    if (!flow || !place || !frame) return;
    bringIntoSight(flow, { ...place, ...size }, frame);
  }, [flow, focus, places, size]);
  return (
    <div ref={region} className={classes['canvas']} role="region" aria-label={label}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        colorMode={scheme}
        fitView
        onInit={setFlow}
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={false}
        onNodeClick={(_event, node) => onSelect?.(node.id)}
        onPaneClick={() => onSelect?.(undefined)}
      >
        <Background />
        <Controls showInteractive={false} />
        {tool.nodes.length > 20 ? (
          <MiniMap<Box> pannable zoomable nodeColor={miniatureColor} ariaLabel="Overview of the graph" />
        ) : null}
      </ReactFlow>
    </div>
  );
}

const readable = 0.5;

/** Moves the picture only where the box cannot be read where it is. */
function bringIntoSight(flow: ReactFlowInstance<Box>, box: Rect, frame: DOMRect): void {
  const { x, y, zoom: current } = flow.getViewport();
  const left = box.x * current + x;
  const top = box.y * current + y;
  const isInside =
    left >= 0 && top >= 0 && left + box.width * current <= frame.width && top + box.height * current <= frame.height;
  if (isInside && current >= readable) return;
  const zoom = Math.max(current, 0.75);
  // Nothing stands above the first row, so it is not shown in the middle.
  const middle = Math.max(box.y + box.height / 2, frame.height / 2 / zoom - 24);
  void flow.setCenter(box.x + box.width / 2, middle, { zoom, duration: 200 });
}

const miniatureColors: Readonly<Partial<Record<NodeState, string>>> = {
  running: 'var(--mantine-primary-color-filled)',
  done: 'var(--mantine-color-teal-6)',
  failed: 'var(--mantine-color-red-6)',
  paused: 'var(--mantine-color-orange-6)',
  waiting: 'var(--mantine-color-orange-6)',
};

function miniatureColor({ data: { state } }: Box): string {
  return miniatureColors[state] ?? 'light-dark(#c9ced8, #545a66)';
}

function BoxNode({ data, selected }: NodeProps<Box>) {
  const { title, note, look, state, count, breakpoint, problem, roomy } = data;
  const Icon = look.icon;
  return (
    <div
      className={classes['box']}
      data-state={state}
      data-selected={selected}
      data-breakpoint={breakpoint}
      data-roomy={roomy}
    >
      <Handle type="target" position={Position.Top} />
      <Icon size={18} aria-hidden />
      <div className={classes['words']}>
        <strong>{title}</strong>
        <span>{note}</span>
      </div>
      {count > 1 ? <span className={classes['count']}>×{count}</span> : null}
      {problem ? <TriangleAlert className={classes['problem']} data-severity={problem} size={16} aria-hidden /> : null}
      <Handle type="source" position={Position.Bottom} />
    </div>
  );
}

type Routed = Edge<{ bends: readonly Point[] }, 'routed'>;

/** An edge that goes around the nodes between its ends. */
function RoutedEdge({ sourceX, sourceY, targetX, targetY, data, label, markerEnd, style }: EdgeProps<Routed>) {
  const bends = data?.bends ?? [];
  const path = routeThrough({ x: sourceX, y: sourceY }, bends, { x: targetX, y: targetY });
  const middle = bends[Math.floor(bends.length / 2)];
  return (
    <BaseEdge
      path={path}
      label={label}
      labelX={middle?.x ?? sourceX}
      labelY={middle?.y ?? sourceY}
      {...(markerEnd ? { markerEnd } : {})}
      {...(style ? { style } : {})}
    />
  );
}

const toneStyles = {
  plain: {},
  walked: { stroke: 'var(--mantine-color-teal-6)', strokeWidth: 2.5 },
  faint: { opacity: 0.45 },
} as const;

function toEdge(edge: OutlineEdge, index: number, tone: EdgeTone, bends: readonly Point[] | undefined): Edge {
  const refused = edge.kind === 'refused';
  const dashed = refused || edge.kind === 'error' || edge.kind === 'rejected' || edge.kind === 'dotted';
  const silent = edge.kind === 'next' || edge.kind === 'branch' || edge.kind === 'dotted';
  const label = edge.label ?? (silent ? undefined : edge.kind);
  return {
    id: `${index}`,
    source: edge.from,
    target: edge.to,
    ...(bends ? { type: 'routed', data: { bends } } : {}),
    markerEnd: { type: MarkerType.ArrowClosed },
    ...(label ? { label: label.length > 32 ? `${label.slice(0, 31)}…` : label } : {}),
    style: {
      ...toneStyles[tone],
      ...(dashed ? { strokeDasharray: '5 4' } : {}),
      ...(refused ? { stroke: 'var(--mantine-color-red-6)', strokeWidth: 2 } : {}),
    },
  };
}
