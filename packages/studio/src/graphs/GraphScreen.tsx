import { Badge, Button, Card, Group, List, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { getRouteApi, Link, useBlocker } from '@tanstack/react-router';
import { History, Play, Save } from 'lucide-react';
import { useState } from 'react';
import { Group as PanelGroup, Panel, Separator } from 'react-resizable-panels';
import { ApiError } from '../api/http.ts';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { type Graph, useCheck, useGraph, useSave } from './api.ts';
import { Canvas } from './Canvas.tsx';
import { NodeList } from './NodeList.tsx';
import { StartRun } from './StartRun.tsx';
import { YamlEditor } from './YamlEditor.tsx';

const route = getRouteApi('/graphs/$name');

export function GraphScreen() {
  const { name } = route.useParams();
  const graph = useGraph(name);
  if (graph.error) return <Problem error={graph.error} onRetry={() => void graph.refetch()} />;
  if (!graph.data) return <Skeleton h={480} />;
  return <GraphWorkbench key={graph.data.revision} graph={graph.data} />;
}

/** Picture and file of a graph side by side. The picture follows the text as it is typed. */
function GraphWorkbench({ graph }: { graph: Graph }) {
  const [text, setText] = useState(graph.text);
  const [settled] = useDebouncedValue(text, 250);
  const [toolName, setToolName] = useState(graph.tools[0]?.name ?? '');
  const [selected, setSelected] = useState<string>();
  const [breakpoints, setBreakpoints] = useState<ReadonlySet<string>>(new Set());
  const [starting, setStarting] = useState(false);
  const changed = text !== graph.text;
  const check = useCheck(graph.name, settled, changed);
  const save = useSave(graph.name);
  useBlocker({ shouldBlockFn: () => changed && !window.confirm('Leave without saving?'), enableBeforeUnload: changed });

  const tools = (changed ? check.data?.tools : undefined) ?? graph.tools;
  const problems = changed ? (check.data?.problems ?? []) : graph.problems;
  const errors = problems.filter((problem) => problem.severity === 'error');
  const tool = tools.find((candidate) => candidate.name === toolName) ?? tools[0];
  const line = tool?.nodes.find((node) => node.id === selected)?.line;

  function store(): void {
    save.mutate(
      { text, revision: graph.revision },
      {
        onSuccess: () => notifications.show({ message: 'Saved', color: 'teal' }),
        onError: (error) => notifications.show({ color: 'red', title: 'Not saved', message: explain(error) }),
      },
    );
  }

  return (
    <Stack gap="sm" h="calc(100dvh - 52px - 2 * var(--mantine-spacing-md))">
      <ScreenTitle
        title={graph.name}
        hint={tool?.description}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<History size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/runs" search={{ graph: graph.name }} {...props} />}
            >
              Runs
            </Button>
            <Button
              variant="default"
              leftSection={<Save size={16} aria-hidden />}
              disabled={!changed || errors.length > 0}
              loading={save.isPending}
              onClick={store}
            >
              Save
            </Button>
            <Button
              leftSection={<Play size={16} aria-hidden />}
              disabled={!tool || changed}
              onClick={() => setStarting(true)}
            >
              Run
            </Button>
          </>
        }
      />
      <Group gap="sm">
        {tools.length > 1 ? (
          <SegmentedControl
            size="xs"
            aria-label="Tool"
            value={tool?.name ?? ''}
            data={tools.map(({ name, title }) => ({ value: name, label: title }))}
            onChange={setToolName}
          />
        ) : null}
        <Badge variant="dot" color={errors.length > 0 ? 'red' : 'teal'} role="status">
          {errors.length > 0 ? `${errors.length} to fix` : changed ? 'Valid, not saved' : 'Valid'}
        </Badge>
        {changed && !save.isPending ? (
          <Text size="sm" c="dimmed">
            Save (Ctrl S) before running.
          </Text>
        ) : null}
      </Group>
      {errors.length > 0 ? (
        <List size="sm" c="red">
          {errors.slice(0, 4).map((problem) => (
            <List.Item key={`${problem.line} ${problem.message}`}>
              Line {problem.line}: {problem.message}
            </List.Item>
          ))}
        </List>
      ) : null}
      <PanelGroup orientation="horizontal" style={{ flex: 1, minHeight: 0 }}>
        <Panel defaultSize="55%" minSize="25%">
          {tool ? (
            <Canvas
              tool={tool}
              label={`Graph of ${tool.title}`}
              selected={selected}
              onSelect={setSelected}
              breakpoints={breakpoints}
            />
          ) : (
            <Card withBorder>Nothing to draw until the file is valid.</Card>
          )}
        </Panel>
        <Separator style={{ width: 10 }} aria-label="Resize" />
        <Panel minSize="20%">
          <YamlEditor text={graph.text} onChange={setText} problems={problems} onSave={store} line={line} />
        </Panel>
      </PanelGroup>
      {tool ? (
        <NodeList
          nodes={tool.nodes}
          selected={selected}
          breakpoints={breakpoints}
          onSelect={setSelected}
          onToggleBreakpoint={(node) =>
            setBreakpoints((before) => {
              const after = new Set(before);
              if (!after.delete(node)) after.add(node);
              return after;
            })
          }
        />
      ) : null}
      {starting && tool ? (
        <StartRun graph={graph.name} tool={tool} breakpoints={breakpoints} onClose={() => setStarting(false)} />
      ) : null}
    </Stack>
  );
}

function explain(error: Error): string {
  if (error instanceof ApiError && error.code === 'CONFLICT')
    return 'The file has changed since you opened it. Copy your text, reload, and try again.';
  return error.message;
}
