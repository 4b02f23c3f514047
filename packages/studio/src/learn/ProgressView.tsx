import { Alert, Card, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { Problem } from '../elements/Problem.tsx';
import { type Progress, useProgress } from './api.ts';
import { ToolApp } from './ToolApp.tsx';

/** How far the goal is, what was proven and how, what is due again. */
export function ProgressView({ onSay }: { onSay: (text: string) => void }) {
  const { data, error, refetch } = useProgress();
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={320} />;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <ToolApp tool="sage_progress" app="progress" title="Progress" onSay={onSay} />
      <Stack>
        {data.dueReviews.length > 0 ? (
          <Alert variant="light" icon={<RotateCcw aria-hidden />} title="Due for review">
            {data.dueReviews.map(({ displayName }) => displayName).join(', ')}
          </Alert>
        ) : null}
        {data.pendingFollowups.length > 0 ? (
          <Alert variant="light" title="How did it go?">
            {data.pendingFollowups.map(({ context }) => context).join(' · ')}
          </Alert>
        ) : null}
        <Card withBorder>
          <Title order={2} size="h4" mb="xs">
            What you have proven
          </Title>
          <Proofs proofs={data.proofs} />
        </Card>
      </Stack>
    </SimpleGrid>
  );
}

function Proofs({ proofs }: { proofs: Progress['proofs'] }) {
  if (proofs.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing yet. Explain or apply an idea in a session; the tutor records it here, with your own words as the proof.
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Idea</Table.Th>
            <Table.Th>Shown by</Table.Th>
            <Table.Th>On</Table.Th>
            <Table.Th>Again</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {proofs.map((proof) => (
            <Table.Tr key={proof.id}>
              <Table.Td>{proof.displayName}</Table.Td>
              <Table.Td>{proof.demonstrationType}</Table.Td>
              <Table.Td>{new Date(proof.earnedAt).toLocaleDateString()}</Table.Td>
              <Table.Td>{new Date(proof.reviewDueAt).toLocaleDateString()}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
