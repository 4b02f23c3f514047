/** Careful reading of what a server sent: a missing or odd field becomes a plain default, never a crash. */
export type Json = Readonly<Record<string, unknown>>;

export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function records(value: unknown): readonly Json[] {
  return list(value).map(record);
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function texts(value: unknown): readonly string[] {
  return list(value).filter((item) => typeof item === 'string');
}

export function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
