import type { Mock } from '../engine.ts';
import { isMock } from '../load/read-tests.ts';

/** Mocks as people write them: `{output}`, `{outputs}`, `{error}`, or just the output. */
export function toMocks(mocks: Readonly<Record<string, unknown>>): Record<string, Mock> {
  return Object.fromEntries(
    Object.entries(mocks).map(([node, mock]) => [node, isMock(mock) ? (mock as Mock) : { output: mock }]),
  );
}
