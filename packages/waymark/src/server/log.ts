import type { Logger } from '../kit/index.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/** One line per event on stderr; stdout belongs to the protocol and to results. */
export function createLogger(
  level: LogLevel,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Logger {
  const threshold = logLevels.indexOf(level);
  const at = (name: LogLevel) => {
    if (logLevels.indexOf(name) < threshold) return () => {};
    return (message: string, fields: Record<string, unknown> = {}) => {
      const details = Object.entries(fields).map(([key, value]) => ` ${key}=${formatValue(value)}`);
      write(`${new Date().toISOString()} ${name} ${message}${details.join('')}\n`);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.stack ?? value.message);
  if (typeof value === 'string') return /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value) ?? String(value);
}
