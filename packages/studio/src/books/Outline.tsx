import { Badge, Group, Progress, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import type { OutlineNode } from './api.ts';
import classes from './Outline.module.css';

const colors: Readonly<Record<OutlineNode['status'], string>> = {
  empty: 'gray',
  planned: 'blue',
  partial: 'orange',
  written: 'teal',
};

/** The plan as a tree: what is written, what waits, how many words. */
export function Outline({
  nodes,
  selected,
  onSelect,
}: {
  nodes: readonly OutlineNode[];
  selected: string | undefined;
  onSelect: (id: string) => void;
}) {
  const paragraphs = nodes.filter((node) => node.children === 0);
  const written = paragraphs.filter((node) => node.status === 'written').length;
  return (
    <div className={classes['outline']}>
      <Group gap="xs" mb="xs">
        <Progress
          flex={1}
          value={paragraphs.length === 0 ? 0 : (written / paragraphs.length) * 100}
          aria-label="Written"
        />
        <Text size="sm" c="dimmed">
          {nodes[0]?.words ?? 0} words
        </Text>
      </Group>
      <ScrollArea flex={1} type="auto">
        <div role="tree" aria-label="Outline">
          {nodes.map((node) => (
            <UnstyledButton
              key={node.id}
              role="treeitem"
              aria-level={node.depth + 1}
              aria-selected={node.id === selected}
              className={classes['item'] ?? ''}
              style={{ paddingInlineStart: 8 + node.depth * 16 }}
              onClick={() => onSelect(node.id)}
            >
              <span className={classes['heading']}>
                {node.type === 'paragraph' ? node.summary || node.heading : node.heading}
              </span>
              <Badge size="xs" variant="light" color={colors[node.status]} tt="none">
                {node.status}
              </Badge>
            </UnstyledButton>
          ))}
        </div>
      </ScrollArea>
    </div>
  );
}
