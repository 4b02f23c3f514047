import { Badge, Button, Card, Group, JsonInput, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { callTool, type Tool } from '../api/mcp.ts';
import { JsonView } from '../elements/JsonView.tsx';
import { Problem } from '../elements/Problem.tsx';
import { initialValue, missingFields, type Schema, withoutEmpty } from '../forms/schema.ts';
import { SchemaForm } from '../forms/SchemaForm.tsx';
import { ToolResult } from './ToolResult.tsx';

/** One tool as a form, or as raw JSON, and what came back. */
export function ToolCaller({ endpoint, tool }: { endpoint: string; tool: Tool }) {
  const schema = tool.inputSchema as Schema;
  const [value, setValue] = useState(() => initialValue(schema));
  const [raw, setRaw] = useState<string | undefined>();
  const call = useMutation({ mutationFn: (args: Record<string, unknown>) => callTool(endpoint, tool.name, args) });
  const missing = raw === undefined ? missingFields(schema, value) : [];

  function run(): void {
    try {
      call.mutate(raw === undefined ? withoutEmpty(value) : (JSON.parse(raw || '{}') as Record<string, unknown>));
    } catch {
      // The field already says that the text is not JSON.
    }
  }

  return (
    <Card withBorder>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} size="h4">
              {tool.title ?? tool.name}
            </Title>
            <Text size="sm" c="dimmed" style={{ whiteSpace: 'pre-line' }}>
              {tool.description}
            </Text>
          </div>
          <SegmentedControl
            size="xs"
            aria-label="How to enter arguments"
            value={raw === undefined ? 'form' : 'json'}
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            onChange={(mode) => setRaw(mode === 'json' ? JSON.stringify(withoutEmpty(value), null, 2) : undefined)}
          />
        </Group>
        {raw === undefined ? (
          <SchemaForm schema={schema} value={value} onChange={setValue} />
        ) : (
          <JsonInput
            aria-label="Arguments as JSON"
            autosize
            minRows={6}
            maxRows={20}
            value={raw}
            onChange={setRaw}
            validationError="This is not valid JSON"
            formatOnBlur
          />
        )}
        <Group>
          <Button
            leftSection={<Play size={16} aria-hidden />}
            loading={call.isPending}
            disabled={missing.length > 0}
            onClick={run}
          >
            Call
          </Button>
          {missing.length > 0 ? (
            <Text size="sm" c="dimmed">
              Still needed: {missing.join(', ')}
            </Text>
          ) : null}
          {call.data ? (
            <Badge color={call.data.isError ? 'red' : 'green'}>{call.data.isError ? 'refused' : 'done'}</Badge>
          ) : null}
        </Group>
        {call.error ? <Problem error={call.error} /> : null}
        {call.data ? <ToolResult result={call.data} /> : null}
        <details>
          <summary>Schemas</summary>
          <Stack gap="xs" mt="xs">
            <JsonView label="Input schema" value={tool.inputSchema} maxHeight={260} />
            {tool.outputSchema ? <JsonView label="Output schema" value={tool.outputSchema} maxHeight={260} /> : null}
          </Stack>
        </details>
      </Stack>
    </Card>
  );
}
