import type { Events, Logger } from '../kit/index.ts';
import type { Store } from '../store/index.ts';
import type { PackLibrary } from './pack-library.ts';

/** Answers a prompt with text; how and by which model is the caller's business. */
export type Generate = (request: {
  readonly system: string;
  readonly prompt: string;
  /** The answer must be JSON of this schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}) => Promise<string>;

export interface SageServices {
  readonly store: () => Promise<Store>;
  readonly events: Events;
  /** Where the built widgets are; by default those that ship with the product. */
  readonly widgetsDirectory?: string | undefined;
  /** A directory of packs, or packs at hand; by default those that ship with the product. */
  readonly packs?: string | PackLibrary | undefined;
  /** A language model for what no pack covers. Without it the tutor works from packs alone. */
  readonly generate?: Generate | undefined;
  /** Refuses a check-in without the token that only the widget is given. */
  readonly strictWidgetCalls?: boolean | undefined;
  readonly log?: Logger | undefined;
}
