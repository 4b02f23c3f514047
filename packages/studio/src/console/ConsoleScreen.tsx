import { Card, Grid, SegmentedControl, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useServerInfo } from '../api/info.ts';
import { listTools } from '../api/mcp.ts';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { ClientSnippets } from './ClientSnippets.tsx';
import { ToolCaller } from './ToolCaller.tsx';
import { ToolList } from './ToolList.tsx';
import { WireLog } from './WireLog.tsx';

const route = getRouteApi('/console');

/** Every toolset as an MCP client sees it: tools as forms, results, and what went over the wire. */
export function ConsoleScreen() {
  const { data: info } = useServerInfo();
  const { toolset: chosen, tool: toolName } = route.useSearch();
  const navigate = route.useNavigate();
  const toolset = info?.toolsets.find((candidate) => candidate.name === chosen) ?? info?.toolsets[0];
  const endpoint = toolset?.endpoint ?? '';
  const tools = useQuery({
    queryKey: ['tools', endpoint],
    queryFn: () => listTools(endpoint),
    enabled: endpoint !== '',
  });
  const tool = tools.data?.find((candidate) => candidate.name === toolName) ?? tools.data?.[0];

  return (
    <Stack gap="md">
      <ScreenTitle title="Console" hint="Call any tool as a client would, and see what goes over the wire." />
      {info ? (
        <SegmentedControl
          w="fit-content"
          aria-label="Toolset"
          value={toolset?.name ?? ''}
          data={info.toolsets.map(({ name, title }) => ({ value: name, label: title }))}
          onChange={(name) => void navigate({ search: { toolset: name } })}
        />
      ) : null}
      {tools.error ? <Problem error={tools.error} onRetry={() => void tools.refetch()} /> : null}
      <Grid>
        <Grid.Col span={{ base: 12, md: 4 }}>
          {tools.data && toolset ? (
            <ToolList
              tools={tools.data}
              selected={tool?.name}
              onSelect={(name) => void navigate({ search: { toolset: toolset.name, tool: name } })}
            />
          ) : (
            <Skeleton h={320} />
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          {tool ? (
            <ToolCaller key={`${endpoint} ${tool.name}`} endpoint={endpoint} tool={tool} />
          ) : (
            <Skeleton h={320} />
          )}
        </Grid.Col>
      </Grid>
      <Card withBorder>
        <Tabs defaultValue="wire">
          <Tabs.List>
            <Tabs.Tab value="wire">Wire log</Tabs.Tab>
            <Tabs.Tab value="connect">Connect a client</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="wire" pt="sm">
            <WireLog />
          </Tabs.Panel>
          <Tabs.Panel value="connect" pt="sm">
            <Text size="sm" mb="sm">
              Copy the configuration of your client. It connects to this server.
            </Text>
            <ClientSnippets endpoint={endpoint || '/mcp'} />
          </Tabs.Panel>
        </Tabs>
      </Card>
    </Stack>
  );
}
