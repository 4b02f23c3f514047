import { Accordion, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { callTool, watchWire, type WireEntry } from '../api/mcp.ts';
import { JsonView } from '../elements/JsonView.tsx';

const kept = 100;

/** Requests and answers as they went over the wire, newest first; tool calls can be sent again. */
export function WireLog() {
  const [entries, setEntries] = useState<readonly WireEntry[]>([]);
  useEffect(() => watchWire((entry) => setEntries((before) => [entry, ...before].slice(0, kept))), []);
  if (entries.length === 0) return <Text c="dimmed">Nothing yet. Call a tool and it appears here.</Text>;
  return (
    <Accordion variant="separated" chevronPosition="left">
      {entries.map((entry) => (
        <Accordion.Item key={entry.id} value={String(entry.id)}>
          <Accordion.Control>
            <Group gap="sm">
              <Text size="sm" ff="monospace">
                {entry.method} {toolOf(entry)}
              </Text>
              <Badge size="sm" variant="light" color={entry.status < 400 ? 'gray' : 'red'}>
                {entry.status}
              </Badge>
              <Text size="xs" c="dimmed">
                {entry.milliseconds.toFixed(0)} ms · {entry.at.toLocaleTimeString()}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs">
              <JsonView label="Request" value={entry.request} maxHeight={240} />
              <JsonView label="Answer" value={entry.response} maxHeight={320} />
              {entry.method === 'tools/call' ? (
                <Button size="xs" variant="default" w="fit-content" onClick={() => void replay(entry)}>
                  Send again
                </Button>
              ) : null}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

interface ToolCallRequest {
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> };
}

function toolOf(entry: WireEntry): string {
  return (entry.request as ToolCallRequest | undefined)?.params?.name ?? '';
}

async function replay(entry: WireEntry): Promise<void> {
  const { params } = entry.request as ToolCallRequest;
  await callTool(entry.endpoint, params?.name ?? '', params?.arguments ?? {});
}
