import { Badge } from '@mantine/core';

const colors: Readonly<Record<string, string>> = {
  succeeded: 'teal',
  failed: 'red',
  running: 'blue',
  paused: 'orange',
  interrupted: 'grape',
};

export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge variant="dot" color={colors[status] ?? 'gray'}>
      {status}
    </Badge>
  );
}
