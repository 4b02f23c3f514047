import { ActionIcon, Box, CopyButton, ScrollArea, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import classes from './JsonView.module.css';

/** A value as readable JSON, to copy. Long text keeps its line breaks out of the way. */
export function JsonView({ value, label, maxHeight = 420 }: { value: unknown; label: string; maxHeight?: number }) {
  const text = value === undefined ? '' : JSON.stringify(value, null, 2);
  return (
    <Box pos="relative">
      <ScrollArea.Autosize mah={maxHeight} type="auto" tabIndex={0} aria-label={label} role="region">
        <pre className={classes['json']}>{text}</pre>
      </ScrollArea.Autosize>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              className={classes['copy'] ?? ''}
              variant="default"
              size="sm"
              onClick={copy}
              aria-label={`Copy ${label}`}
            >
              {copied ? <Check size={14} /> : <Copy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Box>
  );
}
