import { Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Group as PanelGroup, Panel, Separator } from 'react-resizable-panels';

/** Two parts side by side, to be resized; one below the other where the screen is narrow. */
export function SplitView({ main, aside }: { main: ReactNode; aside: ReactNode }) {
  const isNarrow = useMediaQuery('(max-width: 48em)');
  if (isNarrow) {
    return (
      <Stack gap="md">
        <div style={{ height: '58dvh' }}>{main}</div>
        {aside}
      </Stack>
    );
  }
  return (
    <PanelGroup orientation="horizontal" style={{ flex: 1, minHeight: 0 }}>
      <Panel defaultSize="64%" minSize="30%">
        {main}
      </Panel>
      <Separator style={{ width: 14 }} aria-label="Resize" />
      <Panel minSize="22%">{aside}</Panel>
    </PanelGroup>
  );
}
