import type { Mode } from './model.ts';
import { pathBetween } from './modes.ts';

/** A tutor that leaves the rules is a fault of ours, not of the learner. */
export function assertPath(from: Mode, to: Mode): void {
  if (!pathBetween(from, to)) throw new TypeError(`there is no way from ${from} to ${to}`);
}
