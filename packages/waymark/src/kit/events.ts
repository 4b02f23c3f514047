/** Something that happened, for whoever watches: the studio, other windows, other processes. */
export interface WaymarkEvent {
  /** Noun and verb, such as `task-changed`, `run-started`, `conversation-moved`. */
  readonly type: string;
  /** Whose it is; only that user's watchers see it. */
  readonly user: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Events {
  publish(event: WaymarkEvent): void;
  subscribe(listener: (event: WaymarkEvent) => void): () => void;
}

export function createEvents(): Events {
  const listeners = new Set<(event: WaymarkEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
