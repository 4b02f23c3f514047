import { Button, Group, JsonInput, Modal, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../elements/Problem.tsx';
import { initialValue, missingFields, withoutEmpty } from '../forms/schema.ts';
import { SchemaForm } from '../forms/SchemaForm.tsx';
import { type ToolOutline, useStartRun } from './api.ts';

/** Starts a run from a form of the tool's own schema, or raw JSON; the last input is remembered. */
export function StartRun({
  graph,
  tool,
  breakpoints,
  onClose,
}: {
  graph: string;
  tool: ToolOutline;
  breakpoints: ReadonlySet<string>;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const [last, remember] = useLocalStorage<Record<string, unknown>>({
    key: `input ${graph} ${tool.name}`,
    getInitialValueInEffect: false,
  });
  const [value, setValue] = useState<Record<string, unknown>>(() => last ?? initialValue(tool.inputSchema));
  const [raw, setRaw] = useState<string>();
  const [startPaused, setStartPaused] = useState(false);
  const start = useStartRun(graph);
  const missing = raw === undefined ? missingFields(tool.inputSchema, value) : [];

  function run(): void {
    const input = raw === undefined ? withoutEmpty(value) : (JSON.parse(raw || '{}') as Record<string, unknown>);
    remember(input);
    start.mutate(
      { tool: tool.name, arguments: input, startPaused, breakpoints: [...breakpoints].map((node) => ({ node })) },
      { onSuccess: ({ run: id }) => void navigate({ to: '/runs/$run', params: { run: id } }) },
    );
  }

  return (
    <Modal opened onClose={onClose} title={`Run ${tool.title}`} size="lg" centered>
      <Stack>
        <SegmentedControl
          size="xs"
          w="fit-content"
          aria-label="How to enter the input"
          value={raw === undefined ? 'form' : 'json'}
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={(mode) => setRaw(mode === 'json' ? JSON.stringify(withoutEmpty(value), null, 2) : undefined)}
        />
        {raw === undefined ? (
          <SchemaForm schema={tool.inputSchema} value={value} onChange={setValue} />
        ) : (
          <JsonInput
            aria-label="Input as JSON"
            autosize
            minRows={6}
            value={raw}
            onChange={setRaw}
            validationError="This is not valid JSON"
          />
        )}
        <Switch
          label="Pause before the first node"
          checked={startPaused}
          onChange={(event) => setStartPaused(event.currentTarget.checked)}
        />
        {start.error ? <Problem error={start.error} /> : null}
        <Group justify="flex-end">
          {missing.length > 0 ? (
            <Text size="sm" c="dimmed">
              Still needed: {missing.join(', ')}
            </Text>
          ) : null}
          <Button onClick={run} loading={start.isPending} disabled={missing.length > 0}>
            Run
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
