import { Badge, NavLink, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { Tool } from '../api/mcp.ts';

interface ToolListProps {
  readonly tools: readonly Tool[];
  readonly selected: string | undefined;
  readonly onSelect: (name: string) => void;
}

export function ToolList({ tools, selected, onSelect }: ToolListProps) {
  const [query, setQuery] = useState('');
  const words = query.toLowerCase();
  const found = tools.filter((tool) =>
    `${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase().includes(words),
  );
  return (
    <Stack gap="xs">
      <TextInput
        aria-label="Find a tool"
        placeholder={`Find among ${tools.length} tools`}
        leftSection={<Search size={16} aria-hidden />}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      <ScrollArea.Autosize mah={520} type="auto">
        {found.map((tool) => (
          <NavLink
            key={tool.name}
            component="button"
            active={tool.name === selected}
            label={tool.title ?? tool.name}
            description={tool.name}
            rightSection={<Effect tool={tool} />}
            onClick={() => onSelect(tool.name)}
          />
        ))}
        {found.length === 0 ? <Text c="dimmed">No tool matches.</Text> : null}
      </ScrollArea.Autosize>
    </Stack>
  );
}

function Effect({ tool }: { tool: Tool }) {
  if (tool.annotations?.readOnlyHint)
    return (
      <Badge variant="light" color="gray">
        reads
      </Badge>
    );
  if (tool.annotations?.destructiveHint)
    return (
      <Badge variant="light" color="red">
        removes
      </Badge>
    );
  return <Badge variant="light">changes</Badge>;
}
