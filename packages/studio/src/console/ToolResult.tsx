import { Stack, Text } from '@mantine/core';
import type { CallToolResult } from '../api/mcp.ts';
import { JsonView } from '../elements/JsonView.tsx';

/** What a tool answered: its data, and its text where that says something else. */
export function ToolResult({ result }: { result: CallToolResult }) {
  const structured = result.structuredContent;
  const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const others = result.content.filter((block) => block.type !== 'text');
  const worthShowing = texts.filter((text) => text !== JSON.stringify(structured));
  return (
    <Stack gap="xs" role="status" aria-label="Result">
      {worthShowing.map((text) => (
        <Text
          key={text}
          component="pre"
          size="sm"
          ff="monospace"
          m={0}
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {text}
        </Text>
      ))}
      {structured === undefined ? null : <JsonView label="Structured result" value={structured} />}
      {others.length > 0 ? <JsonView label="Other content" value={others} /> : null}
    </Stack>
  );
}
