import { Button, Code, CopyButton, Stack, Tabs } from '@mantine/core';

/** Ready configuration for the common clients, for the server this page came from. */
export function ClientSnippets({ endpoint }: { endpoint: string }) {
  const url = new URL(endpoint, location.origin).href;
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  const snippets = {
    'Claude, Cursor': json({ mcpServers: { waymark: { type: 'http', url } } }),
    'VS Code': json({ servers: { waymark: { type: 'http', url } } }),
    'Claude Code': `claude mcp add --transport http waymark ${url}`,
    Codex: `[mcp_servers.waymark]\nurl = "${url}"`,
  };
  return (
    <Tabs defaultValue="Claude, Cursor">
      <Tabs.List>
        {Object.keys(snippets).map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(snippets).map(([name, text]) => (
        <Tabs.Panel key={name} value={name} pt="xs">
          <Stack gap="xs">
            <Code block>{text}</Code>
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <Button size="xs" variant="default" w="fit-content" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
