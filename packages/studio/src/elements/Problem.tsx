import { Alert, Button, Group, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { ApiError } from '../api/http.ts';

/** Something that went wrong, said so that one knows what to do. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof ApiError ? error.code : undefined;
  return (
    <Alert color="red" variant="light" icon={<TriangleAlert aria-hidden />} title="That did not work" role="alert">
      <Text size="sm">{message}</Text>
      <Group mt="xs" gap="sm">
        {onRetry ? (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        {code ? (
          <Text size="xs" c="dimmed" ff="monospace">
            {code}
          </Text>
        ) : null}
      </Group>
    </Alert>
  );
}
