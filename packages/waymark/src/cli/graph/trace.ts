import type { RunEvent } from '../../graph/events.ts';

const longest = 200;

/** The history of a run for people: one line per execution. */
export function formatTrace(events: readonly RunEvent[]): string {
  const lines: string[] = [];
  for (const event of events) {
    if (event.type === 'node-ended') {
      const where = event.path === '' ? event.node : `${event.path}/${event.node}`;
      const time = `${(event.durationUs / 1000).toFixed(1)} ms`.padStart(10);
      const what = event.error ? `failed (${event.error.code}): ${event.error.message}` : shorten(event.output);
      const from = event.from ? ` [${event.from}]` : '';
      lines.push(`${String(event.index).padStart(4)} ${time}  ${where} (${event.nodeType})${from} ${oneLine(what)}`);
    } else if (event.type === 'node-retried') {
      lines.push(
        `     ${' '.repeat(10)}  ${event.node} attempt ${event.attempt} failed: ${oneLine(event.error.message)}`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

function shorten(value: unknown): string {
  const json = JSON.stringify(value) ?? 'undefined';
  return json.length > longest ? `${json.slice(0, longest)}… (${json.length} characters)` : json;
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}
