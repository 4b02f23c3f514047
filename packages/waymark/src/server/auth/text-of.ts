/** A claim or parameter as text; anything that is not a string counts as absent. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
