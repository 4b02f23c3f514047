import { Anchor, Card, Code, CopyButton, Button, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useServerInfo } from '../api/info.ts';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { areas } from '../shell/areas.ts';

const purposes: Readonly<Record<string, string>> = {
  sop: 'Agents follow procedures drawn as flowcharts; every move is checked.',
  graph: 'Compose MCP tools into graphs, run them, watch and debug them.',
  tasks: 'Manage tasks by talking, or on the board.',
  hnpx: 'Plan and write books from the outline down.',
  sage: 'Learn with a tutor, practise, see what you have proven.',
};

/** What is running here, where to go, and how to connect a client. */
export function HomeScreen() {
  const { data: info, error, refetch } = useServerInfo();
  const endpoint = `${location.origin}/mcp`;
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="lg">
      <ScreenTitle
        title="Welcome"
        hint="Your agents ask where they are and what they may do next. This is where you watch."
      />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {info
          ? info.toolsets.map((toolset) => {
              const area = areas.find((candidate) => candidate.toolset === toolset.name);
              return (
                <Card key={toolset.name} withBorder>
                  <Title order={2} size="h4">
                    {area ? (
                      <Anchor renderRoot={(props) => <Link to={area.path} {...props} />} inherit>
                        {toolset.title}
                      </Anchor>
                    ) : (
                      toolset.title
                    )}
                  </Title>
                  <Text size="sm" mt={4}>
                    {purposes[toolset.name]}
                  </Text>
                  <Text size="xs" c="dimmed" mt="sm">
                    {toolset.tools.length} tools at <Code>{toolset.endpoint}</Code>
                  </Text>
                </Card>
              );
            })
          : Array.from({ length: 4 }, (_, index) => <Skeleton key={index} h={118} radius="md" />)}
      </SimpleGrid>
      <Card withBorder>
        <Title order={2} size="h4">
          Connect a client
        </Title>
        <Text size="sm" mt={4}>
          Give any MCP client this address, or run <Code>waymark mcp config --client claude</Code> for a ready
          configuration.
        </Text>
        <Code block mt="sm">
          {endpoint}
        </Code>
        <CopyButton value={endpoint}>
          {({ copied, copy }) => (
            <Button mt="sm" size="xs" variant="default" w="fit-content" onClick={copy}>
              {copied ? 'Copied' : 'Copy the address'}
            </Button>
          )}
        </CopyButton>
      </Card>
    </Stack>
  );
}
