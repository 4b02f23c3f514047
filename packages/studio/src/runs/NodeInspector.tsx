import { Alert, Button, Group, JsonInput, Select, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { JsonView } from '../elements/JsonView.tsx';
import type { Visit } from './events.ts';

interface NodeInspectorProps {
  readonly node: string;
  readonly visits: readonly Visit[];
  readonly paused: boolean;
  readonly onRunTo: () => void;
  readonly onChangeValue: (value: unknown) => void;
  readonly onFork: (seq: number, value: unknown) => void;
}

/** What went into a node and what came out, for each time it ran; a value can be changed, here or in a fork. */
export function NodeInspector({ node, visits, paused, onRunTo, onChangeValue, onFork }: NodeInspectorProps) {
  const [picked, setPicked] = useState<number>();
  const [edited, setEdited] = useState<string>();
  const index = Math.min(picked ?? visits.length - 1, visits.length - 1);
  const visit = visits[index];
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h5">
          {node}
        </Title>
        {paused ? (
          <Button size="xs" variant="default" onClick={onRunTo}>
            Run to here
          </Button>
        ) : null}
      </Group>
      {visits.length > 1 ? (
        <Select
          size="xs"
          label="Visit"
          allowDeselect={false}
          value={String(index)}
          data={visits.map((each, position) => ({
            value: String(position),
            label: `${position + 1} of ${visits.length}${each.path ? ` · ${each.path}` : ''}${each.error ? ' · failed' : ''}`,
          }))}
          onChange={(value) => setPicked(Number(value))}
        />
      ) : null}
      {visit ? (
        <>
          <Text size="sm" c="dimmed">
            {visit.durationUs === undefined ? 'Still running' : `${(visit.durationUs / 1000).toFixed(2)} ms`}
            {visit.attempt > 1 ? ` · attempt ${visit.attempt}` : ''}
            {visit.from ? ` · from ${visit.from}` : ''}
          </Text>
          {visit.error ? (
            <Alert color="red" variant="light" title={visit.error.code}>
              {visit.error.message}
            </Alert>
          ) : null}
          {visit.input === undefined ? null : <Labelled text="Input" value={visit.input} />}
          {visit.output === undefined ? null : <Labelled text="Output" value={visit.output} />}
          {visit.endedAt === undefined ? null : edited === undefined ? (
            <Button
              size="xs"
              variant="default"
              w="fit-content"
              onClick={() => setEdited(JSON.stringify(visit.output, null, 2) ?? 'null')}
            >
              Change the output…
            </Button>
          ) : (
            <Stack gap="xs">
              <JsonInput
                label="Output to go on with"
                autosize
                minRows={4}
                maxRows={16}
                value={edited}
                onChange={setEdited}
                validationError="This is not valid JSON"
              />
              <Group gap="xs">
                {paused ? (
                  <Button size="xs" onClick={() => withJson(edited, onChangeValue)}>
                    Use in this run
                  </Button>
                ) : null}
                <Button
                  size="xs"
                  variant={paused ? 'default' : 'filled'}
                  onClick={() => withJson(edited, (value) => onFork(visit.seq, value))}
                >
                  Fork a new run from here
                </Button>
                <Button size="xs" variant="subtle" onClick={() => setEdited(undefined)}>
                  Cancel
                </Button>
              </Group>
              <Text size="xs" c="dimmed">
                A fork runs the nodes after this one again, with whatever they do outside.
              </Text>
            </Stack>
          )}
        </>
      ) : (
        <Text c="dimmed">It has not run yet.</Text>
      )}
    </Stack>
  );
}

function Labelled({ text, value }: { text: string; value: unknown }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {text}
      </Text>
      <JsonView label={text} value={value} maxHeight={260} />
    </div>
  );
}

function withJson(text: string, use: (value: unknown) => void): void {
  try {
    use(JSON.parse(text) as unknown);
  } catch {
    // The field says that it is not JSON.
  }
}
