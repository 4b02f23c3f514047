import { Anchor, Badge, Card, Code, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { EmptyState } from '../elements/EmptyState.tsx';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { useGraphs } from './api.ts';

/** The graphs this server serves. */
export function GraphsScreen() {
  const graphs = useGraphs();
  return (
    <Stack>
      <ScreenTitle title="Graphs" hint="Tools composed of tools. Each graph is an MCP server of its own." />
      {graphs.error ? <Problem error={graphs.error} onRetry={() => void graphs.refetch()} /> : null}
      {graphs.isPending ? <Skeleton h={140} /> : null}
      {graphs.data?.graphs.length === 0 ? (
        <EmptyState
          icon={Workflow}
          title="No graph is served yet"
          command="waymark serve --graph examples/graphs/collatz.yaml"
        >
          Name the files when you start the server; they appear here and reload when they change.
        </EmptyState>
      ) : null}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {graphs.data?.graphs.map((graph) => (
          <Card key={graph.name} withBorder>
            <Title order={2} size="h4">
              <Anchor
                inherit
                renderRoot={(props) => <Link to="/graphs/$name" params={{ name: graph.name }} {...props} />}
              >
                {graph.name}
              </Anchor>{' '}
              {graph.stale ? <Badge color="red">has mistakes</Badge> : null}
            </Title>
            <Stack gap={4} mt="xs">
              {graph.tools.map((tool) => (
                <Text key={tool.name} size="sm">
                  <strong>{tool.title}</strong> {tool.description}
                </Text>
              ))}
            </Stack>
            <Text size="xs" c="dimmed" mt="sm">
              MCP endpoint <Code>{graph.endpoint}</Code>
            </Text>
          </Card>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
