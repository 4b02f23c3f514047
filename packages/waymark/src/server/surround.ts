import type { Host } from '../kit/index.ts';

type AroundCall = Host['aroundCall'];

/** Puts layers around a call, the first outermost; those that are off are left out. */
export function surround(layers: readonly (AroundCall | undefined)[]): AroundCall {
  const active = layers.filter((layer) => layer !== undefined);
  return active.reduceRight<AroundCall>(
    (inner, layer) => (entry, context, next) => layer(entry, context, (narrowed) => inner(entry, narrowed, next)),
    (_entry, context, next) => next(context),
  );
}
