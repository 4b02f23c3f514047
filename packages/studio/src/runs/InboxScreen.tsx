import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { EmptyState } from '../elements/EmptyState.tsx';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { useQuestions } from './api.ts';
import { QuestionForm } from './QuestionForm.tsx';

/** Runs that wait for a person: approvals and questions. */
export function InboxScreen() {
  const questions = useQuestions();
  return (
    <Stack maw={720}>
      <ScreenTitle title="Inbox" hint="Runs that wait for your word." />
      {questions.error ? <Problem error={questions.error} onRetry={() => void questions.refetch()} /> : null}
      {questions.isPending ? <Skeleton h={120} /> : null}
      {questions.data?.questions.length === 0 ? (
        <EmptyState icon={Inbox} title="Nobody waits for you">
          When a graph comes to an approve node, its question appears here.
        </EmptyState>
      ) : null}
      {questions.data?.questions.map((question) => (
        <Stack key={question.id} gap={4}>
          <Text size="sm" c="dimmed">
            {question.graph} · {question.tool} ·{' '}
            <Anchor inherit renderRoot={(props) => <Link to="/runs/$run" params={{ run: question.run }} {...props} />}>
              the run
            </Anchor>
          </Text>
          <QuestionForm run={question.run} question={question} />
        </Stack>
      ))}
    </Stack>
  );
}
