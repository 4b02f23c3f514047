import { Badge, Group, Stack, Table, Text, Title } from '@mantine/core';
import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import type { Procedure } from './api.ts';
import type { ConversationView, Todo } from './conversation.ts';

interface ConversationPanelProps {
  readonly procedure: Procedure | undefined;
  readonly view: ConversationView;
  /** The step looked at. */
  readonly step: string | undefined;
}

/** What the agent is told at a step, and what the conversation has on record. */
export function ConversationPanel({ procedure, view, step: id }: ConversationPanelProps) {
  const step = procedure?.nodes.find((candidate) => candidate.id === id);
  const told = step && procedure?.prompts[step.id];
  const exits = procedure?.edges.filter(({ from }) => from === id) ?? [];
  return (
    <Stack gap="md">
      {step ? (
        <section aria-label={`Step ${step.id}`}>
          <Title order={2} size="h4">
            {step.id}
          </Title>
          <Text size="sm">{step.description}</Text>
          {told?.prompt ? (
            <Text size="sm" mt={6} c="dimmed" style={{ whiteSpace: 'pre-wrap' }}>
              {told.prompt}
            </Text>
          ) : null}
          {told?.tools && told.tools.length > 0 ? (
            <Group gap={6} mt={6}>
              {told.tools.map((tool) => (
                <Badge key={tool} size="sm" variant="default" tt="none">
                  {tool}
                </Badge>
              ))}
            </Group>
          ) : null}
          {exits.length > 0 ? (
            <Text size="sm" mt={6}>
              Next: {exits.map(({ to, condition }) => (condition === null ? to : `${to} (${condition})`)).join(' · ')}
            </Text>
          ) : null}
        </section>
      ) : null}
      <section aria-label="Path">
        <Title order={2} size="sm" mb={4}>
          Path
        </Title>
        <Text size="sm">{view.path.length > 0 ? view.path.join(' → ') : 'Nothing walked yet.'}</Text>
      </section>
      <section aria-label="Todos">
        <Title order={2} size="sm" mb={4}>
          Todos
        </Title>
        {view.todos.length === 0 ? (
          <Text size="sm" c="dimmed">
            None written down.
          </Text>
        ) : (
          <Stack gap={4}>
            {view.todos.map((todo) => (
              <TodoRow key={`${todo.content} ${todo.completion_node ?? ''}`} todo={todo} />
            ))}
          </Stack>
        )}
      </section>
      {view.facts.size > 0 ? (
        <section aria-label="Facts">
          <Title order={2} size="sm" mb={4}>
            Facts
          </Title>
          <Table>
            <Table.Tbody>
              {[...view.facts].map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row">{name}</Table.Th>
                  <Table.Td>{String(value)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      ) : null}
    </Stack>
  );
}

const todoLooks = {
  pending: { icon: Circle, word: 'to do' },
  in_progress: { icon: CircleDot, word: 'being done' },
  completed: { icon: CircleCheck, word: 'done' },
} as const;

function TodoRow({ todo }: { todo: Todo }) {
  const { icon: Icon, word } = todoLooks[todo.status];
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <Icon size={16} aria-label={word} style={{ flex: 'none', marginTop: 3 }} />
      <Text size="sm" td={todo.status === 'completed' ? 'line-through' : 'none'}>
        {todo.content}
        {todo.completion_node ? (
          <Text span size="xs" c="dimmed">
            {' '}
            until {todo.completion_node}
          </Text>
        ) : null}
      </Text>
    </Group>
  );
}
