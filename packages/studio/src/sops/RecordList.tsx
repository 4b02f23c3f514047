import { Title, UnstyledButton } from '@mantine/core';
import { type ConversationRecord, describeRecord } from './conversation.ts';
import classes from './sops.module.css';

interface RecordListProps {
  readonly records: readonly ConversationRecord[];
  readonly at: number;
  readonly onSelect: (index: number) => void;
}

/** What happened, in order; the picture's twin. */
export function RecordList({ records, at, onSelect }: RecordListProps) {
  return (
    <section aria-label="What happened">
      <Title order={2} size="sm" mb={4}>
        What happened
      </Title>
      <ol className={classes['records']}>
        {records.map((record, index) => (
          <li key={`${index} ${record.at}`}>
            <UnstyledButton
              className={classes['record'] ?? ''}
              data-at={index === at}
              data-later={index > at}
              data-refused={record.type === 'refused' || (record.type === 'tool' && record.verdict === 'refused')}
              aria-current={index === at ? 'step' : undefined}
              onClick={() => onSelect(index)}
            >
              <span className={classes['quiet']}>{index}</span>
              <span>{describeRecord(record)}</span>
              <time className={classes['quiet']} dateTime={record.at}>
                {new Date(record.at).toLocaleTimeString()}
              </time>
            </UnstyledButton>
          </li>
        ))}
      </ol>
    </section>
  );
}
