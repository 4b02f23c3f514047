import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

type Listener = (data: Record<string, unknown>) => void;

/** The one event stream of the page. Screens listen for what they show; queries are refreshed by event. */
class LiveEvents {
  readonly #listeners = new Map<string, Set<Listener>>();
  #source: EventSource | undefined;

  on(type: string, listener: Listener): () => void {
    this.#source ??= new EventSource('/api/events');
    let listeners = this.#listeners.get(type);
    if (!listeners) {
      listeners = new Set();
      this.#listeners.set(type, listeners);
      this.#source.addEventListener(type, (event) => {
        const data = JSON.parse((event as MessageEvent<string>).data) as Record<string, unknown>;
        for (const each of this.#listeners.get(type) ?? []) each(data);
      });
    }
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
}

export const liveEvents = new LiveEvents();

/** Fetches again what the named events may have changed. */
export function useRefreshOn(types: readonly string[], queryKey: readonly unknown[]): void {
  const client: QueryClient = useQueryClient();
  const key = JSON.stringify([types, queryKey]);
  useEffect(() => {
    const [names, wanted] = JSON.parse(key) as [string[], unknown[]];
    const stops = names.map((type) => liveEvents.on(type, () => void client.invalidateQueries({ queryKey: wanted })));
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, key]);
}
