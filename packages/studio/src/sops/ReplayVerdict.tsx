import { Alert, List } from '@mantine/core';
import { GitCompareArrows } from 'lucide-react';
import { useReplay } from './api.ts';

interface ReplayVerdictProps {
  readonly id: string;
  readonly file: string | null;
  /** What the conversation is bound to. */
  readonly hash: string | null;
  readonly records: number;
}

/** Where the file has changed since: whether it would still decide every move the same way. */
export function ReplayVerdict({ id, file, hash, records }: ReplayVerdictProps) {
  const { data } = useReplay(id, file, records);
  if (!data || data.content_hash === hash) return null;
  const { differences } = data;
  return (
    <Alert
      variant="light"
      color={differences.length > 0 ? 'orange' : 'teal'}
      icon={<GitCompareArrows aria-hidden />}
      title="The procedure has changed since"
    >
      {differences.length === 0 ? (
        `All ${data.moves} moves would be decided the same way today.`
      ) : (
        <List size="sm">
          {differences.slice(0, 5).map(({ move, from, to, after, reason }) => (
            <List.Item key={move}>
              Move {move}, {from ?? 'the beginning'} → {to}, would be {after} today{reason ? `: ${reason}` : ''}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
