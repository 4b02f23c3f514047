import { Anchor, Select, Group, Skeleton, Stack, Table } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { EmptyState } from '../elements/EmptyState.tsx';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { useGraphs } from '../graphs/api.ts';
import { useRuns } from './api.ts';
import { StatusBadge } from './StatusBadge.tsx';

const route = getRouteApi('/runs');
const statuses = ['running', 'paused', 'succeeded', 'failed', 'cancelled', 'stopped', 'interrupted'];

/** What ran, newest first. The filters are in the address. */
export function RunsScreen() {
  const { graph, status } = route.useSearch();
  const navigate = route.useNavigate();
  const graphs = useGraphs();
  const runs = useRuns({ graph, status });
  const filterBy = (change: { graph?: string | null; status?: string | null }) => {
    const next = { graph, status, ...change };
    void navigate({
      search: { ...(next.graph ? { graph: next.graph } : {}), ...(next.status ? { status: next.status } : {}) },
    });
  };
  return (
    <Stack>
      <ScreenTitle title="Runs" hint="Every run with all that happened in it." />
      <Group>
        <Select
          aria-label="Graph"
          placeholder="Any graph"
          clearable
          data={graphs.data?.graphs.map((each) => each.name) ?? []}
          value={graph ?? null}
          onChange={(value) => filterBy({ graph: value })}
        />
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          data={statuses}
          value={status ?? null}
          onChange={(value) => filterBy({ status: value })}
        />
      </Group>
      {runs.error ? <Problem error={runs.error} onRetry={() => void runs.refetch()} /> : null}
      {runs.isPending ? <Skeleton h={200} /> : null}
      {runs.data?.runs.length === 0 ? (
        <EmptyState icon={History} title="Nothing has run yet">
          Open a graph and press Run, or call its tool from any client.
        </EmptyState>
      ) : null}
      {runs.data && runs.data.runs.length > 0 ? (
        <Table.ScrollContainer minWidth={520}>
          <Table striped highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Run</Table.Th>
                <Table.Th>Tool</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>Started</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {runs.data.runs.map((run) => {
                const started = run.startedAt ?? run.started;
                return (
                  <Table.Tr key={run.run}>
                    <Table.Td>
                      <Anchor renderRoot={(props) => <Link to="/runs/$run" params={{ run: run.run }} {...props} />}>
                        {run.run.slice(0, 8)}
                      </Anchor>
                    </Table.Td>
                    <Table.Td>
                      {run.graph} · {run.tool}
                    </Table.Td>
                    <Table.Td>
                      <StatusBadge status={run.status} />
                    </Table.Td>
                    <Table.Td>{started ? new Date(started).toLocaleString() : ''}</Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : null}
    </Stack>
  );
}
