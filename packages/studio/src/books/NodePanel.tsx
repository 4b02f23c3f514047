import { Button, Group, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core';
import { useState } from 'react';
import { modalConfirm } from '../elements/confirm.tsx';
import { type OutlineNode, useBookChange, useText } from './api.ts';

/** One part of the book: read it, change its summary or its text, take it out. */
export function NodePanel({ book, node }: { book: string; node: OutlineNode }) {
  const text = useText(book, node.id);
  const change = useBookChange(book);
  const [summary, setSummary] = useState(node.summary);
  const [words, setWords] = useState<string>();
  const isParagraph = node.type === 'paragraph';
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h4">
            {node.heading}
          </Title>
          <Text size="sm" c="dimmed">
            {node.type} · {node.words} words · {node.status}
          </Text>
        </div>
        {node.type === 'book' ? null : (
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              modalConfirm({
                title: `Remove this ${node.type}?`,
                text: 'Everything below it goes too. A snapshot is kept.',
                action: 'Remove',
                onConfirm: () => change.mutate({ tool: 'remove_nodes', node_ids: [node.id] }),
              })
            }
          >
            Remove
          </Button>
        )}
      </Group>
      <Textarea
        label="Summary"
        autosize
        minRows={2}
        maxRows={8}
        value={summary}
        onChange={(event) => setSummary(event.currentTarget.value)}
      />
      <Button
        size="xs"
        w="fit-content"
        variant="default"
        disabled={summary === node.summary || summary.trim() === ''}
        loading={change.isPending}
        onClick={() => change.mutate({ tool: 'edit_summary', node_id: node.id, summary })}
      >
        Save the summary
      </Button>
      {text.isPending ? <Skeleton h={160} /> : null}
      {text.data === undefined ? null : words === undefined ? (
        <>
          <Text
            component="div"
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontFamily: 'Georgia, serif', lineHeight: 1.65 }}
            maw={680}
          >
            {text.data}
          </Text>
          {isParagraph ? (
            <Button size="xs" w="fit-content" variant="default" onClick={() => setWords(text.data.trim())}>
              Edit the text
            </Button>
          ) : null}
        </>
      ) : (
        <>
          <Textarea
            label="Text"
            autosize
            minRows={6}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <Group gap="xs">
            <Button
              size="xs"
              loading={change.isPending}
              disabled={words.trim() === ''}
              onClick={() =>
                change.mutate(
                  { tool: 'edit_paragraph_text', node_id: node.id, text: words },
                  { onSuccess: () => setWords(undefined) },
                )
              }
            >
              Save the text
            </Button>
            <Button size="xs" variant="subtle" onClick={() => setWords(undefined)}>
              Cancel
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
