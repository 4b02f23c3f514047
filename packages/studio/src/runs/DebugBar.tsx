import { ActionIcon, Group, Slider, Text, Tooltip } from '@mantine/core';
import { ChevronLeft, ChevronRight, type LucideIcon, Pause, Play, Square, StepForward } from 'lucide-react';
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
  const now = at ?? last;
  const travel = (seq: number) => onTravel(seq >= last ? undefined : Math.max(0, seq));
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
      <Tool label="Back one event" icon={ChevronLeft} disabled={now <= 0} onClick={() => travel(now - 1)} />
      <Slider
        flex={1}
        min={0}
        max={Math.max(last, 1)}
        value={now}
        onChange={travel}
        label={(seq) => `event ${seq}`}
        thumbLabel="Event looked at"
        size="sm"
      />
      <Tool label="Forward one event" icon={ChevronRight} disabled={now >= last} onClick={() => travel(now + 1)} />
      <Text size="sm" c="dimmed" w={88} ta="right">
        {at === undefined ? 'now' : `${now} of ${last}`}
      </Text>
    </Group>
  );
}

function Tool({
  label,
  icon: Icon,
  disabled = false,
  onClick,
}: {
  label: string;
  icon: LucideIcon;
  disabled?: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" disabled={disabled} onClick={onClick} aria-label={label}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
