import { Checkbox, ScrollArea, Table } from '@mantine/core';
import type { OutlineNode } from './api.ts';
import { nodeLooks, unknownLook } from './node-looks.ts';

interface NodeListProps {
  readonly nodes: readonly OutlineNode[];
  readonly selected: string | undefined;
  readonly breakpoints: ReadonlySet<string>;
  readonly onSelect: (node: string) => void;
  readonly onToggleBreakpoint: (node: string) => void;
}

/** The same graph as a list, for the keyboard and for screen readers; breakpoints are set here. */
export function NodeList({ nodes, selected, breakpoints, onSelect, onToggleBreakpoint }: NodeListProps) {
  return (
    <details>
      <summary>Nodes as a list, and breakpoints</summary>
      <ScrollArea.Autosize mah={220} type="auto" mt="xs">
        <Table striped withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Break</Table.Th>
              <Table.Th>Node</Table.Th>
              <Table.Th>Kind</Table.Th>
              <Table.Th>What it does</Table.Th>
              <Table.Th>Line</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {nodes.map((node) => (
              <Table.Tr key={node.id} aria-selected={node.id === selected}>
                <Table.Td>
                  <Checkbox
                    aria-label={`Break before ${node.id}`}
                    checked={breakpoints.has(node.id)}
                    onChange={() => onToggleBreakpoint(node.id)}
                  />
                </Table.Td>
                <Table.Td>
                  <button
                    type="button"
                    style={{ all: 'unset', cursor: 'pointer', textDecoration: 'underline' }}
                    onClick={() => onSelect(node.id)}
                  >
                    {node.id}
                  </button>
                </Table.Td>
                <Table.Td>{(nodeLooks[node.type] ?? unknownLook).word}</Table.Td>
                <Table.Td>{node.detail}</Table.Td>
                <Table.Td>{node.line}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </details>
  );
}
