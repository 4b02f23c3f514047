import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** The heading of a screen, with what one can do there. */
export function ScreenTitle({ title, hint, actions }: { title: string; hint?: ReactNode; actions?: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start" mb="md" wrap="wrap">
      <div>
        <Title order={1} size="h2">
          {title}
        </Title>
        {hint ? <Text c="dimmed">{hint}</Text> : null}
      </div>
      {actions ? <Group gap="xs">{actions}</Group> : null}
    </Group>
  );
}
