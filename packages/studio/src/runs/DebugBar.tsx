import { Group } from '@mantine/core';
import { Pause, Play, Square, StepForward } from 'lucide-react';
import { Scrubber } from '../elements/Scrubber.tsx';
import { Tool } from '../elements/Tool.tsx';
import type { useRunActions } from './api.ts';
import type { RunEvent } from './events.ts';

interface DebugBarProps {
  readonly status: string;
  readonly events: readonly RunEvent[];
  /** The event looked at; undefined follows the run. */
  readonly at: number | undefined;
  readonly onTravel: (seq: number | undefined) => void;
  readonly actions: ReturnType<typeof useRunActions>;
}

/** Hold, step and stop a run, and travel through what has happened. */
export function DebugBar({ status, events, at, onTravel, actions }: DebugBarProps) {
  const last = events.at(-1)?.seq ?? 0;
  const active = status === 'running' || status === 'paused';
  return (
    <Group gap="xs" wrap="nowrap" role="toolbar" aria-label="Debugging">
      {active ? (
        <>
          {status === 'paused' ? (
            <Tool label="Go on" icon={Play} onClick={() => actions.control.mutate('resume')} />
          ) : (
            <Tool label="Pause" icon={Pause} onClick={() => actions.control.mutate('pause')} />
          )}
          <Tool
            label="One step"
            icon={StepForward}
            disabled={status !== 'paused'}
            onClick={() => actions.control.mutate('step')}
          />
          <Tool label="Stop" icon={Square} onClick={() => actions.control.mutate('stop')} />
        </>
      ) : null}
      <Scrubber last={last} at={at} onTravel={onTravel} />
    </Group>
  );
}
