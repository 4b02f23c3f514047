/** Looks up `a.b.0` in plain data. Only own properties are seen. */
export function lookUpPath(data: unknown, path: string): unknown {
  if (path === '') return data;
  let value = data;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
