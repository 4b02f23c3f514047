import { ScrollArea, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import classes from './EventList.module.css';
import type { RunEvent } from './events.ts';

interface EventListProps {
  readonly events: readonly RunEvent[];
  readonly at: number | undefined;
  readonly onSelect: (event: RunEvent) => void;
}

const mostShown = 400;

/** What happened, in order. Long runs show the newest part; the filter looks at all of it. */
export function EventList({ events, at, onSelect }: EventListProps) {
  const [query, setQuery] = useState('');
  const words = query.toLowerCase();
  const found = words
    ? events.filter((event) =>
        `${event.type} ${event.node ?? ''} ${event.error?.message ?? ''}`.toLowerCase().includes(words),
      )
    : events;
  const shown = found.slice(-mostShown);
  const start = events[0]?.at ?? 0;
  return (
    <div className={classes['list']}>
      <TextInput
        size="xs"
        aria-label="Filter events"
        placeholder="Filter: failed, node-ended, a node…"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {found.length > shown.length ? (
        <Text size="xs" c="dimmed" mt={4}>
          The last {mostShown} of {found.length}
        </Text>
      ) : null}
      <ScrollArea flex={1} mt={6} type="auto">
        {shown.map((event) => (
          <UnstyledButton
            key={event.seq}
            className={classes['event'] ?? ''}
            data-at={event.seq === at}
            data-failed={event.error !== undefined}
            onClick={() => onSelect(event)}
          >
            <span className={classes['seq']}>{event.seq}</span>
            <span>
              {event.type} <strong>{event.node ?? event.status ?? ''}</strong>
              {event.path ? <em> {event.path}</em> : null}
              {event.error ? <span className={classes['error']}> {event.error.code}</span> : null}
            </span>
            <span className={classes['time']}>{((event.at - start) / 1000).toFixed(3)} s</span>
          </UnstyledButton>
        ))}
      </ScrollArea>
    </div>
  );
}
