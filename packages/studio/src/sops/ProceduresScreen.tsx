import { Anchor, Skeleton, Stack, Table, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Route } from 'lucide-react';
import { EmptyState } from '../elements/EmptyState.tsx';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { useProcedures } from './api.ts';
import { ConversationTable } from './ConversationTable.tsx';

/** The procedures there are, and who is following them. */
export function ProceduresScreen() {
  const procedures = useProcedures();
  const files = procedures.data?.files ?? [];
  return (
    <Stack>
      <ScreenTitle
        title="Procedures"
        hint="Flowcharts that agents follow. Every move is checked, and you can watch it here."
      />
      {procedures.error ? <Problem error={procedures.error} onRetry={() => void procedures.refetch()} /> : null}
      {procedures.isPending ? <Skeleton h={140} /> : null}
      {procedures.data && files.length === 0 ? (
        <EmptyState icon={Route} title="No procedure yet" command="waymark serve --root examples/sop">
          A procedure is a Markdown file with a mermaid flowchart in it. Start the server with the folder that holds
          yours.
        </EmptyState>
      ) : null}
      {files.length > 0 ? (
        <Table.ScrollContainer minWidth={360}>
          <Table striped highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Procedure</Table.Th>
                <Table.Th>Changed</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {files.map(({ file, modified_at: modified }) => (
                <Table.Tr key={file}>
                  <Table.Td>
                    <Anchor renderRoot={(props) => <Link to="/sops/$file" params={{ file }} {...props} />}>
                      {file}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{new Date(modified).toLocaleString()}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : null}
      <Title order={2} size="h3" mt="sm">
        Conversations
      </Title>
      <ConversationTable />
    </Stack>
  );
}
