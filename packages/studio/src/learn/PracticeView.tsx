import { Button, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { AppFrame } from '../apps/AppFrame.tsx';
import { Problem } from '../elements/Problem.tsx';
import { endpoint, useScenarios, useStartPractice } from './api.ts';

/** Choose a scene, play it with a character, get feedback. */
export function PracticeView({ onSay }: { onSay: (text: string) => void }) {
  const scenarios = useScenarios();
  const start = useStartPractice();
  if (scenarios.error) return <Problem error={scenarios.error} onRetry={() => void scenarios.refetch()} />;
  if (!scenarios.data) return <Skeleton h={240} />;
  if (start.data) {
    return (
      <Stack maw={760}>
        <Button size="xs" variant="default" w="fit-content" onClick={start.reset}>
          Choose another scene
        </Button>
        <AppFrame
          endpoint={endpoint}
          uri="ui://widget/practice.html"
          title="Practice"
          result={start.data}
          onMessage={onSay}
        />
      </Stack>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {scenarios.data.scenarios.map(({ id, title, sageRole, description, difficulty }) => (
        <Card key={id} withBorder>
          <Title order={2} size="h5">
            {title}
          </Title>
          <Text size="sm" mt={4} flex={1}>
            {description}
          </Text>
          <Text size="xs" c="dimmed" mt="xs">
            With {sageRole} · {difficulty}
          </Text>
          <Group mt="sm">
            <Button
              size="xs"
              variant="default"
              loading={start.isPending && start.variables === id}
              onClick={() => start.mutate(id)}
              aria-label={`Practise ${title}`}
            >
              Practise
            </Button>
          </Group>
        </Card>
      ))}
    </SimpleGrid>
  );
}
