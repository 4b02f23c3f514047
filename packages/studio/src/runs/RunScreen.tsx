import { Alert, Anchor, Button, Card, Group, ScrollArea, Skeleton, Stack, Text } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Group as PanelGroup, Panel, Separator } from 'react-resizable-panels';
import { JsonView } from '../elements/JsonView.tsx';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { useGraph } from '../graphs/api.ts';
import { Canvas } from '../graphs/Canvas.tsx';
import { useRun, useRunActions, useRunEvents } from './api.ts';
import { DebugBar } from './DebugBar.tsx';
import { EventList } from './EventList.tsx';
import { foldEvents } from './events.ts';
import { NodeInspector } from './NodeInspector.tsx';
import { QuestionForm } from './QuestionForm.tsx';
import { StatusBadge } from './StatusBadge.tsx';

const route = getRouteApi('/runs/$run');

/** One run: live or long ago, it looks the same. Picture, events and values move together. */
export function RunScreen() {
  const { run: id } = route.useParams();
  const run = useRun(id);
  const events = useRunEvents(id);
  const actions = useRunActions(id);
  const navigate = useNavigate();
  const graph = useGraph(run.data?.graph ?? '');
  const [at, setAt] = useState<number>();
  const [selected, setSelected] = useState<string>();
  const view = useMemo(() => foldEvents(events, at), [events, at]);
  const breakpoints = useMemo(() => new Set(run.data?.breakpoints?.map((each) => each.node)), [run.data]);
  if (run.error) return <Problem error={run.error} onRetry={() => void run.refetch()} />;
  if (!run.data) return <Skeleton h={480} />;

  const status = view.end && at === undefined ? view.end.status : run.data.status;
  const tool = graph.data?.tools.find((candidate) => candidate.name === run.data.tool);
  const forkedFrom = events.find((event) => event.type === 'run-started')?.forkedFrom;

  return (
    <Stack gap="sm" h="calc(100dvh - 52px - 2 * var(--mantine-spacing-md))">
      <ScreenTitle
        title={`${run.data.tool}`}
        hint={
          <>
            Run {id.slice(0, 8)} of{' '}
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => <Link to="/graphs/$name" params={{ name: run.data.graph }} {...props} />}
            >
              {run.data.graph}
            </Anchor>
            {forkedFrom ? (
              <>
                , forked from{' '}
                <Anchor
                  inherit
                  underline="always"
                  renderRoot={(props) => <Link to="/runs/$run" params={{ run: forkedFrom.run }} {...props} />}
                >
                  {forkedFrom.run.slice(0, 8)}
                </Anchor>{' '}
                at event {forkedFrom.seq}
              </>
            ) : null}
          </>
        }
        actions={
          <>
            <span role="status">
              <StatusBadge status={status} />
            </span>
            <Button
              size="xs"
              variant="default"
              component="a"
              href={`/api/runs/${id}/export`}
              download
              leftSection={<Download size={14} aria-hidden />}
            >
              Export
            </Button>
          </>
        }
      />
      <DebugBar status={status} events={events} at={at} onTravel={setAt} actions={actions} />
      {view.questions.map((question) => (
        <QuestionForm key={question.id} run={id} question={question} />
      ))}
      <PanelGroup orientation="horizontal" style={{ flex: 1, minHeight: 0 }}>
        <Panel defaultSize="50%" minSize="25%">
          {tool ? (
            <Canvas
              tool={tool}
              label={`Run of ${tool.title}`}
              states={view.states}
              counts={view.counts}
              breakpoints={breakpoints}
              selected={selected}
              onSelect={setSelected}
            />
          ) : graph.error ? (
            <Card withBorder h="100%">
              <Text c="dimmed">The graph is not served any more; its events are on the right.</Text>
            </Card>
          ) : (
            <Skeleton h="100%" />
          )}
        </Panel>
        <Separator style={{ width: 10 }} aria-label="Resize" />
        <Panel defaultSize="25%" minSize="15%">
          <EventList
            events={events}
            at={at}
            onSelect={(event) => {
              setAt(event.seq);
              if (event.node) setSelected(event.node);
            }}
          />
        </Panel>
        <Separator style={{ width: 10 }} aria-label="Resize" />
        <Panel minSize="18%">
          <ScrollArea h="100%" type="auto">
            {selected ? (
              <NodeInspector
                key={selected}
                node={selected}
                visits={view.visits.get(selected) ?? []}
                paused={status === 'paused'}
                onRunTo={() => actions.runTo.mutate(selected)}
                onChangeValue={(value) => actions.change.mutate({ node: selected, value })}
                onFork={(seq, value) =>
                  actions.fork.mutate(
                    { seq, changes: { [selected]: value } },
                    { onSuccess: ({ run: child }) => void navigate({ to: '/runs/$run', params: { run: child } }) },
                  )
                }
              />
            ) : (
              <Outcome end={view.end} input={run.data.input} />
            )}
          </ScrollArea>
        </Panel>
      </PanelGroup>
    </Stack>
  );
}

function Outcome({ end, input }: { end: ReturnType<typeof foldEvents>['end']; input: unknown }) {
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Select a node to see what went in and out.
      </Text>
      {end?.error ? (
        <Alert color="red" variant="light" title={end.error.code}>
          {end.error.message}
          {end.error.node ? ` (at ${end.error.node})` : ''}
        </Alert>
      ) : null}
      {input === undefined ? null : <Labelled text="Input" value={input} />}
      {end && 'result' in end ? <Labelled text="Result" value={end.result} /> : null}
    </Stack>
  );
}

function Labelled({ text, value }: { text: string; value: unknown }) {
  return (
    <Group gap={4} align="flex-start" grow preventGrowOverflow={false}>
      <Stack gap={2}>
        <Text size="sm" fw={600}>
          {text}
        </Text>
        <JsonView label={text} value={value} maxHeight={300} />
      </Stack>
    </Group>
  );
}
