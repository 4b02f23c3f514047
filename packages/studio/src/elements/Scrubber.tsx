import { Slider, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Tool } from './Tool.tsx';

interface ScrubberProps {
  /** The number of the newest event. */
  readonly last: number;
  /** The event looked at; undefined follows what happens. */
  readonly at: number | undefined;
  readonly onTravel: (event: number | undefined) => void;
}

/** Travels through what has happened, event by event. */
export function Scrubber({ last, at, onTravel }: ScrubberProps) {
  const now = at ?? last;
  const travel = (event: number) => onTravel(event >= last ? undefined : Math.max(0, event));
  return (
    <>
      <Tool label="Back one event" icon={ChevronLeft} disabled={now <= 0} onClick={() => travel(now - 1)} />
      <Slider
        flex={1}
        min={0}
        max={Math.max(last, 1)}
        value={now}
        onChange={travel}
        label={(event) => `event ${event}`}
        thumbLabel="Event looked at"
        size="sm"
      />
      <Tool label="Forward one event" icon={ChevronRight} disabled={now >= last} onClick={() => travel(now + 1)} />
      <Text size="sm" c="dimmed" w={88} ta="right">
        {at === undefined ? 'now' : `${now} of ${last}`}
      </Text>
    </>
  );
}
