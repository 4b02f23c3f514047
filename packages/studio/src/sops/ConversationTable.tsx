import { Anchor, Badge, Skeleton, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { EmptyState } from '../elements/EmptyState.tsx';
import { Problem } from '../elements/Problem.tsx';
import { useConversations } from './api.ts';

/** Conversations in procedures, the one used last first. */
export function ConversationTable() {
  const { data, error, isPending, refetch } = useConversations();
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton h={120} />;
  if (data.conversations.length === 0) {
    return (
      <EmptyState icon={MessagesSquare} title="Nobody follows a procedure yet">
        Connect a client to /mcp/sop and let it call load_graph; the conversation appears here at once.
      </EmptyState>
    );
  }
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table striped highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Conversation</Table.Th>
            <Table.Th>Procedure</Table.Th>
            <Table.Th>Where it stands</Table.Th>
            <Table.Th>Moves</Table.Th>
            <Table.Th>Refused</Table.Th>
            <Table.Th>Last used</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.conversations.map((conversation) => {
            const { conversation_id: id } = conversation;
            return (
              <Table.Tr key={id}>
                <Table.Td>
                  <Anchor renderRoot={(props) => <Link to="/sops/conversations/$id" params={{ id }} {...props} />}>
                    {id.slice(0, 8)}
                  </Anchor>
                </Table.Td>
                <Table.Td>{conversation.agent}</Table.Td>
                <Table.Td>
                  {conversation.current_node ?? 'not begun'}{' '}
                  {conversation.complete ? (
                    <Badge size="sm" variant="dot" color="teal">
                      complete
                    </Badge>
                  ) : null}
                </Table.Td>
                <Table.Td>{conversation.moves}</Table.Td>
                <Table.Td>{conversation.refusals}</Table.Td>
                <Table.Td>{new Date(conversation.last_used_at).toLocaleString()}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
