import { Anchor, Badge, Button, Card, Group, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../elements/Problem.tsx';
import { useSessions, useStartSession } from './api.ts';

/** Begin a session, or look at an earlier one. */
export function SessionsView({ onOpen }: { onOpen: (id: string) => void }) {
  const sessions = useSessions();
  const start = useStartSession();
  const [goal, setGoal] = useState('');
  return (
    <Stack>
      <Card withBorder maw={640}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            start.mutate(goal.trim(), { onSuccess: ({ id }) => onOpen(id) });
          }}
        >
          <Group align="flex-end">
            <TextInput
              flex={1}
              miw={220}
              label="What do you want to be able to do?"
              placeholder="Raise my prices without losing clients"
              value={goal}
              onChange={(event) => setGoal(event.currentTarget.value)}
            />
            <Button type="submit" loading={start.isPending}>
              Start a session
            </Button>
          </Group>
        </form>
      </Card>
      {sessions.error ? <Problem error={sessions.error} onRetry={() => void sessions.refetch()} /> : null}
      {sessions.isPending ? <Skeleton h={120} /> : null}
      {sessions.data?.sessions.length === 0 ? (
        <Text c="dimmed" size="sm">
          No session yet. Say above what you came for; the tutor asks how you are and begins there.
        </Text>
      ) : null}
      {sessions.data && sessions.data.sessions.length > 0 ? (
        <Table.ScrollContainer minWidth={480}>
          <Table striped highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Session</Table.Th>
                <Table.Th>Messages</Table.Th>
                <Table.Th>State</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sessions.data.sessions.map(
                ({ id, goal: about, started_at: at, ended_at: ended, message_count: count }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <Anchor
                        renderRoot={(props) => (
                          <Link to="/learn" search={{ view: 'sessions', session: id }} {...props} />
                        )}
                      >
                        {new Date(at).toLocaleString()}
                      </Anchor>
                      <Text size="sm">{about}</Text>
                    </Table.Td>
                    <Table.Td>{count}</Table.Td>
                    <Table.Td>
                      <Badge variant="dot" color={ended ? 'gray' : 'teal'}>
                        {ended ? 'ended' : 'open'}
                      </Badge>
                    </Table.Td>
                  </Table.Tr>
                ),
              )}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : null}
    </Stack>
  );
}
