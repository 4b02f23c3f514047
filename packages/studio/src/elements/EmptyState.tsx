import { Center, Code, Stack, Text, Title } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** An empty place that says what belongs there and how it gets there. */
export function EmptyState(props: {
  icon: LucideIcon;
  title: string;
  /** 1 where nothing else heads the screen. */
  order?: 1 | 2;
  children: ReactNode;
  command?: string;
  action?: ReactNode;
}) {
  const { icon: Icon, title, order = 2, children, command, action } = props;
  return (
    <Center py={64}>
      <Stack align="center" gap="xs" maw={460}>
        <Icon size={36} strokeWidth={1.5} aria-hidden />
        <Title order={order} size="h4">
          {title}
        </Title>
        <Text c="dimmed" ta="center">
          {children}
        </Text>
        {command ? <Code block>{command}</Code> : null}
        {action}
      </Stack>
    </Center>
  );
}
