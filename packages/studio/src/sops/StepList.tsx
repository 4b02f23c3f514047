import { Badge, ScrollArea, Table, Text, UnstyledButton } from '@mantine/core';
import type { Procedure } from './api.ts';
import { kindOf, type PlacedProblem, stepLooks } from './outline.ts';
import classes from './sops.module.css';

interface StepListProps {
  readonly procedure: Procedure;
  readonly problems: readonly PlacedProblem[];
  readonly visits: Readonly<Record<string, number>> | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (step: string) => void;
}

/** The same procedure as a table, for the keyboard and for screen readers. */
export function StepList({ procedure, problems, visits, selected, onSelect }: StepListProps) {
  return (
    <ScrollArea h="100%" type="auto">
      <Table striped withTableBorder stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Step</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th>Leads to</Table.Th>
            {visits ? <Table.Th>Walked</Table.Th> : null}
            <Table.Th>Problems</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {procedure.nodes.map((step) => {
            const own = problems.filter((problem) => problem.step === step.id);
            return (
              <Table.Tr key={step.id} aria-selected={step.id === selected}>
                <Table.Td>
                  <UnstyledButton className={classes['link'] ?? ''} onClick={() => onSelect(step.id)}>
                    {step.id}
                  </UnstyledButton>
                  <Text size="sm">{step.description}</Text>
                </Table.Td>
                <Table.Td>{stepLooks[kindOf(step, procedure)]?.word}</Table.Td>
                <Table.Td>
                  {procedure.edges
                    .filter(({ from }) => from === step.id)
                    .map(({ to, condition }) => (
                      <Text key={`${to} ${condition ?? ''}`} size="sm">
                        {condition === null ? '' : `${condition} → `}
                        {to}
                      </Text>
                    ))}
                </Table.Td>
                {visits ? <Table.Td>{visits[step.id] ?? 0}</Table.Td> : null}
                <Table.Td>
                  {own.map(({ code, severity, line, col }) => (
                    <Badge
                      key={`${code} ${line} ${col}`}
                      size="xs"
                      variant="dot"
                      color={severity === 'error' ? 'red' : 'orange'}
                    >
                      {code}
                    </Badge>
                  ))}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
