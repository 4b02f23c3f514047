import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { modalConfirm } from '../elements/confirm.tsx';
import { useBookChange, useSnapshots } from './api.ts';

/** Kept copies of the book; any of them can come back. */
export function Snapshots({ book, onClose }: { book: string; onClose: () => void }) {
  const snapshots = useSnapshots(book);
  const change = useBookChange(book);
  return (
    <Modal opened onClose={onClose} title="Snapshots" size="lg">
      <Stack gap="sm">
        <Button
          w="fit-content"
          size="xs"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ tool: 'create_snapshot' })}
        >
          Keep a copy now
        </Button>
        {snapshots.data?.snapshots.length === 0 ? (
          <Text c="dimmed">None yet. One is taken before every destructive change.</Text>
        ) : null}
        {snapshots.data?.snapshots.map((snapshot) => (
          <Group key={snapshot.id} justify="space-between">
            <div>
              <Text size="sm">{snapshot.label ?? snapshot.reason ?? snapshot.id}</Text>
              <Text size="xs" c="dimmed">
                {snapshot.created_at ? new Date(snapshot.created_at).toLocaleString() : snapshot.id}
              </Text>
            </div>
            <Button
              size="xs"
              variant="default"
              onClick={() =>
                modalConfirm({
                  title: 'Bring this copy back?',
                  text: 'The book as it is now is kept as a snapshot too.',
                  action: 'Bring it back',
                  onConfirm: () => change.mutate({ tool: 'restore_snapshot', snapshot_id: snapshot.id }),
                })
              }
            >
              Restore
            </Button>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
