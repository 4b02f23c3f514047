import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useConversations } from './api.ts';

const mostShown = 12;

/** Who walks through one procedure now, or did last. */
export function ConversationLinks({ agent }: { agent: string }) {
  const { data } = useConversations();
  const own = data?.conversations.filter((conversation) => conversation.agent === agent) ?? [];
  return (
    <section aria-label="Conversations">
      <Title order={2} size="sm" mb={4}>
        Conversations
      </Title>
      <Stack gap={4}>
        {own.slice(0, mostShown).map(({ conversation_id: id, current_node: step, complete, refusals }) => (
          <Text key={id} size="sm">
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => <Link to="/sops/conversations/$id" params={{ id }} {...props} />}
            >
              {id.slice(0, 8)}
            </Anchor>{' '}
            {step === null ? 'not begun' : complete ? `complete at ${step}` : `at ${step}`}
            {refusals > 0 ? ` · ${refusals} refused` : ''}
          </Text>
        ))}
        {data && own.length === 0 ? (
          <Text size="sm" c="dimmed">
            None yet. They appear here as soon as an agent loads this procedure.
          </Text>
        ) : null}
      </Stack>
    </section>
  );
}
