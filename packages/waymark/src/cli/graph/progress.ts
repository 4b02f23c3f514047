import type { WriteStream } from 'node:tty';
import type { RunEvent } from '../../graph/events.ts';

/** One line on a terminal that says where the run is; nothing where there is no terminal. */
export function followProgress(stream: WriteStream): { show(event: RunEvent): void; clear(): void } {
  if (!stream.isTTY) return { show() {}, clear() {} };
  let ended = 0;
  let current = '';
  let drawn = 0;
  const draw = (force: boolean) => {
    const now = performance.now();
    if (!force && now - drawn < 80) return;
    drawn = now;
    stream.write(`\r\u001B[2K${ended} done  ${current}`.slice(0, (stream.columns || 80) + 4));
  };
  return {
    show(event) {
      if (event.type === 'node-started') {
        current = event.path === '' ? event.node : `${event.path}/${event.node}`;
        draw(event.nodeType === 'mcp');
      } else if (event.type === 'node-ended') {
        ended++;
        draw(false);
      } else if (event.type === 'node-progressed') {
        const share = event.total ? `${event.progress}/${event.total}` : String(event.progress);
        current = `${event.node} ${share} ${event.message ?? ''}`;
        draw(false);
      } else if (event.type === 'node-retried') {
        current = `${event.node} again in ${event.delayMs} ms: ${event.error.message}`;
        draw(true);
      }
    },
    clear() {
      stream.write('\r\u001B[2K');
    },
  };
}
