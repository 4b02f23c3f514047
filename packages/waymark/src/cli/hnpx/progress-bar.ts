/** As much of a terminal as the bar needs. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressBar {
  show(done: number, total: number, what: string): void;
  clear(): void;
}

const width = 24;
const redrawAfterMs = 80;

/** One line on a terminal that fills up; nothing where there is no terminal. */
export function createProgressBar(stream: Screen, clock: () => number = () => performance.now()): ProgressBar {
  if (!stream.isTTY) return { show() {}, clear() {} };
  let drawnAt = clock();
  let isDrawn = false;
  return {
    show(done, total, what) {
      const now = clock();
      // Work that is over before anyone could read the line shows none.
      if (now - drawnAt < redrawAfterMs) return;
      drawnAt = now;
      isDrawn = true;
      const filled = Math.round((done / Math.max(1, total)) * width);
      const line = `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total} ${what}`;
      stream.write(`\r\u001B[2K${line.slice(0, (stream.columns || 80) - 1)}`);
    },
    clear() {
      if (isDrawn) stream.write('\r\u001B[2K');
    },
  };
}
