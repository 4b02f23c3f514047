import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { initialValue, missingFields, type Schema, withoutEmpty } from '../forms/schema.ts';
import { SchemaForm } from '../forms/SchemaForm.tsx';
import { useAnswer } from './api.ts';
import type { Question } from './events.ts';

/** A question of a run, to be answered by a person. */
export function QuestionForm({ run, question }: { run: string; question: Question }) {
  const schema = (question.form ?? {}) as Schema;
  const [value, setValue] = useState(() => initialValue(schema));
  const answer = useAnswer();
  const send = (action: 'accept' | 'decline') =>
    answer.mutate({
      run,
      id: question.id,
      action,
      ...(action === 'accept' && question.form ? { content: withoutEmpty(value) } : {}),
    });
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Text>{question.message}</Text>
        {question.form ? <SchemaForm schema={schema} value={value} onChange={setValue} /> : null}
        <Group>
          <Button
            loading={answer.isPending}
            disabled={missingFields(schema, value).length > 0}
            onClick={() => send('accept')}
          >
            Approve
          </Button>
          <Button variant="default" loading={answer.isPending} onClick={() => send('decline')}>
            Decline
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
