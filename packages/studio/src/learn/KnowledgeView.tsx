import { SegmentedControl, Skeleton, Stack, Table } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Network } from 'lucide-react';
import { useMemo } from 'react';
import { EmptyState } from '../elements/EmptyState.tsx';
import { Problem } from '../elements/Problem.tsx';
import { Canvas } from '../graphs/Canvas.tsx';
import { type Knowledge, useKnowledge } from './api.ts';
import { edgeWord, knowledgeLooks, pictureOf, stageOf } from './knowledge.ts';
import { ToolApp } from './ToolApp.tsx';

const route = getRouteApi('/learn');

/** Goals and ideas and how they hang together: drawn, as a list, or as a chat client shows them. */
export function KnowledgeView({ onSay }: { onSay: (text: string) => void }) {
  const { as = 'picture' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useKnowledge();
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={400} />;
  if (data.nodes.length === 0) {
    return (
      <EmptyState icon={Network} title="Nothing is known yet">
        Start a session and say what you want to be able to do. The goal and the ideas it needs appear here.
      </EmptyState>
    );
  }
  return (
    <Stack>
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label="Shown as"
        value={as}
        data={[
          { value: 'picture', label: 'Picture' },
          { value: 'list', label: 'List' },
          { value: 'app', label: 'Widget' },
        ]}
        onChange={(next) =>
          void navigate({ search: { view: 'knowledge', ...(next === 'picture' ? {} : { as: next }) }, replace: true })
        }
      />
      {as === 'app' ? <ToolApp tool="sage_graph" app="graph" title="Knowledge graph" onSay={onSay} /> : null}
      {as === 'list' ? <KnowledgeList knowledge={data} /> : null}
      {as === 'picture' ? <KnowledgePicture knowledge={data} /> : null}
    </Stack>
  );
}

function KnowledgePicture({ knowledge }: { knowledge: Knowledge }) {
  const picture = useMemo(() => pictureOf(knowledge), [knowledge]);
  return (
    <div style={{ height: '62dvh' }}>
      <Canvas tool={picture} states={picture.states} looks={knowledgeLooks} label="Knowledge graph" roomy />
    </div>
  );
}

function KnowledgeList({ knowledge: { nodes, edges } }: { knowledge: Knowledge }) {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table striped>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>How far</Table.Th>
            <Table.Th>Connected with</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {nodes.map((node) => (
            <Table.Tr key={node.id}>
              <Table.Td>{node.label}</Table.Td>
              <Table.Td>{knowledgeLooks[stageOf(node)]?.word}</Table.Td>
              <Table.Td>
                {edges
                  .filter(({ from }) => from === node.id)
                  .map(({ to, type }) => `${edgeWord(type)} ${labels.get(to) ?? to}`)
                  .join(', ')}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
