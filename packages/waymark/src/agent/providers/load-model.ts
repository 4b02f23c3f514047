import type { TurnModel } from '../loop.ts';

/** Placeholder until providers are written. */
export async function loadModel(name: string, _environment: NodeJS.ProcessEnv): Promise<TurnModel> {
  throw new Error(`Unknown model "${name}"`);
}
