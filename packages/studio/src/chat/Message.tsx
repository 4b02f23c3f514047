import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { CircleAlert, Wrench } from 'lucide-react';
import Markdown from 'react-markdown';
import type { ToolCall } from './api.ts';
import classes from './Message.module.css';

/** What the person said. */
export function Said({ text }: { text: string }) {
  return (
    <Paper
      className={classes['said'] ?? ''}
      bg="light-dark(var(--mantine-color-trail-0), var(--mantine-color-trail-9))"
      p="xs"
      px="md"
    >
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
    </Paper>
  );
}

interface AnsweredProps {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Offered under the newest answer: yes or no, or the numbers of a list. */
  readonly choices?: readonly string[];
  readonly onChoose?: (choice: string) => void;
}

/** What the agent did and answered, with its tool calls folded. */
export function Answered({ text, calls, choices = [], onChoose }: AnsweredProps) {
  return (
    <Stack gap={6} maw={720}>
      {calls.map((call, index) => (
        <details key={`${call.tool} ${index}`} className={classes['call']}>
          <summary>
            {call.ok ? <Wrench size={14} aria-hidden /> : <CircleAlert size={14} aria-hidden />} {call.tool}
            {call.ok ? '' : ' (failed)'}
          </summary>
          <pre>{JSON.stringify(call.arguments, null, 2)}</pre>
        </details>
      ))}
      <div className={classes['answer']}>
        <Markdown>{text}</Markdown>
      </div>
      {choices.length > 0 ? (
        <Group gap="xs">
          {choices.map((choice) => (
            <Button key={choice} size="xs" variant="default" onClick={() => onChoose?.(choice)}>
              {choice}
            </Button>
          ))}
        </Group>
      ) : null}
    </Stack>
  );
}
