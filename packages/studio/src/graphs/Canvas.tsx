import '@xyflow/react/dist/style.css';
import { useComputedColorScheme } from '@mantine/core';
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  MiniMap,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { OutlineEdge, OutlineNode, ToolOutline } from './api.ts';
import classes from './Canvas.module.css';
import { layoutGraph, nodeSize } from './layout.ts';
import { nodeLooks, type NodeState, stateWords, unknownLook } from './node-looks.ts';

interface CanvasProps {
  readonly tool: Pick<ToolOutline, 'nodes' | 'edges'>;
  readonly states?: ReadonlyMap<string, NodeState>;
  readonly counts?: ReadonlyMap<string, number>;
  readonly breakpoints?: ReadonlySet<string>;
  readonly selected?: string | undefined;
  readonly onSelect?: (node: string | undefined) => void;
  readonly label: string;
}

type Box = Node<{ node: OutlineNode; state: NodeState; count: number; breakpoint: boolean }, 'box'>;

const nodeTypes = { box: memo(BoxNode) };

/** A graph as a picture: laid out by itself, with the state of a run on its nodes. */
export function Canvas({ tool, states, counts, breakpoints, selected, onSelect, label }: CanvasProps) {
  const scheme = useComputedColorScheme('light');
  const places = useMemo(() => layoutGraph(tool.nodes, tool.edges), [tool]);
  const nodes = useMemo<Box[]>(
    () =>
      tool.nodes.map((node) => ({
        id: node.id,
        type: 'box',
        position: places.get(node.id) ?? { x: 0, y: 0 },
        width: nodeSize.width,
        height: nodeSize.height,
        selected: node.id === selected,
        ariaLabel: `${(nodeLooks[node.type] ?? unknownLook).word} ${node.title} ${stateWords[states?.get(node.id) ?? 'idle']}`,
        data: {
          node,
          state: states?.get(node.id) ?? 'idle',
          count: counts?.get(node.id) ?? 0,
          breakpoint: breakpoints?.has(node.id) ?? false,
        },
      })),
    [tool, places, states, counts, breakpoints, selected],
  );
  const edges = useMemo(() => tool.edges.map(toEdge), [tool]);
  return (
    <div className={classes['canvas']} role="region" aria-label={label}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        colorMode={scheme}
        fitView
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={false}
        onNodeClick={(_event, node) => onSelect?.(node.id)}
        onPaneClick={() => onSelect?.(undefined)}
      >
        <Background />
        <Controls showInteractive={false} />
        {tool.nodes.length > 20 ? <MiniMap pannable zoomable ariaLabel="Overview of the graph" /> : null}
      </ReactFlow>
    </div>
  );
}

function BoxNode({ data: { node, state, count, breakpoint }, selected }: NodeProps<Box>) {
  const { icon: Icon, word } = nodeLooks[node.type] ?? unknownLook;
  return (
    <div className={classes['box']} data-state={state} data-selected={selected} data-breakpoint={breakpoint}>
      <Handle type="target" position={Position.Top} />
      <Icon size={18} aria-hidden />
      <div className={classes['words']}>
        <strong>{node.title}</strong>
        <span>{state === 'idle' ? (node.detail ?? word) : stateWords[state]}</span>
      </div>
      {count > 1 ? <span className={classes['count']}>×{count}</span> : null}
      <Handle type="source" position={Position.Bottom} />
    </div>
  );
}

function toEdge(edge: OutlineEdge, index: number): Edge {
  const dashed = edge.kind === 'error' || edge.kind === 'rejected';
  const label = edge.label ?? (edge.kind === 'next' || edge.kind === 'branch' ? undefined : edge.kind);
  return {
    id: `${index}`,
    source: edge.from,
    target: edge.to,
    markerEnd: { type: MarkerType.ArrowClosed },
    ...(label ? { label: label.length > 32 ? `${label.slice(0, 31)}…` : label } : {}),
    ...(dashed ? { style: { strokeDasharray: '5 4' } } : {}),
  };
}
