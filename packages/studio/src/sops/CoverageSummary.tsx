import { Text } from '@mantine/core';
import type { Coverage } from './api.ts';

/** How much was walked, in one line. */
export function CoverageSummary({ coverage: { conversations, nodes, edges, refusals } }: { coverage: Coverage }) {
  return (
    <Text size="sm" c="dimmed" role="note">
      {conversations === 0
        ? 'No conversation has walked this procedure yet.'
        : `${conversations} ${conversations === 1 ? 'conversation' : 'conversations'} · steps ${share(nodes)} · arrows ${share(edges)} · ${refusals} refused`}
    </Text>
  );
}

function share({ visited, total }: { visited: number; total: number }): string {
  return `${visited} of ${total}`;
}
