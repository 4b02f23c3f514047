import { Button, Menu, ScrollArea, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { getRouteApi } from '@tanstack/react-router';
import { Compass, Download, History, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Group as PanelGroup, Panel, Separator } from 'react-resizable-panels';
import { Problem } from '../elements/Problem.tsx';
import { ScreenTitle } from '../elements/ScreenTitle.tsx';
import { nextToWrite, useBookChange, useOutline } from './api.ts';
import { NodePanel } from './NodePanel.tsx';
import { Outline } from './Outline.tsx';
import { Snapshots } from './Snapshots.tsx';

const route = getRouteApi('/books/$book');
const formats = {
  markdown: 'Markdown',
  text: 'Plain text',
  html: 'HTML',
  epub: 'EPUB 3',
  docx: 'DOCX',
  fb2: 'FictionBook 2',
};

/** A book: its plan on the left, the part you look at on the right. */
export function BookScreen() {
  const { book } = route.useParams();
  const { node: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const outline = useOutline(book);
  const change = useBookChange(book);
  const [showsSnapshots, setShowsSnapshots] = useState(false);
  const nodes = outline.data?.nodes ?? [];
  const node = nodes.find((candidate) => candidate.id === wanted) ?? nodes[0];
  const select = (id: string) => void navigate({ search: { node: id }, replace: true });

  async function guide(): Promise<void> {
    const next = await nextToWrite(book);
    if (next?.id) select(next.id);
    notifications.show({ message: next?.message ?? 'Everything is expanded: the plan is complete.' });
  }

  return (
    <Stack gap="sm" h="calc(100dvh - 52px - 2 * var(--mantine-spacing-md))">
      <ScreenTitle
        title={book}
        actions={
          <>
            <Button variant="default" leftSection={<Compass size={16} aria-hidden />} onClick={() => void guide()}>
              What is next?
            </Button>
            <Button
              variant="default"
              leftSection={<Undo2 size={16} aria-hidden />}
              onClick={() => change.mutate({ tool: 'undo' })}
            >
              Undo
            </Button>
            <Button
              variant="default"
              leftSection={<History size={16} aria-hidden />}
              onClick={() => setShowsSnapshots(true)}
            >
              Snapshots
            </Button>
            <Menu>
              <Menu.Target>
                <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
                  Export
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {Object.entries(formats).map(([format, label]) => (
                  <Menu.Item
                    key={format}
                    onClick={() =>
                      change.mutate(
                        { tool: 'export_document', format, overwrite: true },
                        {
                          onSuccess: (answer) =>
                            notifications.show({ color: 'teal', message: String(answer['message']) }),
                        },
                      )
                    }
                  >
                    {label}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          </>
        }
      />
      {outline.error ? <Problem error={outline.error} onRetry={() => void outline.refetch()} /> : null}
      {outline.isPending ? <Skeleton flex={1} /> : null}
      {outline.data ? (
        <PanelGroup orientation="horizontal" style={{ flex: 1, minHeight: 0 }}>
          <Panel defaultSize="38%" minSize="22%">
            <Outline nodes={nodes} selected={node?.id} onSelect={select} />
          </Panel>
          <Separator style={{ width: 16 }} aria-label="Resize" />
          <Panel minSize="30%">
            <ScrollArea h="100%" type="auto">
              {node ? (
                <NodePanel key={`${node.id} ${node.summary}`} book={book} node={node} />
              ) : (
                <Text c="dimmed">The book is empty.</Text>
              )}
            </ScrollArea>
          </Panel>
        </PanelGroup>
      ) : null}
      {showsSnapshots ? <Snapshots book={book} onClose={() => setShowsSnapshots(false)} /> : null}
    </Stack>
  );
}
