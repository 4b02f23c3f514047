import type { Circumstances } from './circumstances.ts';
import type { TutorEngine } from './engine.ts';
import { createLlmEngine } from './llm-engine.ts';
import { type GraphFilters, type KnowledgeGraph, readGraph } from './knowledge-graph.ts';
import { openLearner } from './learner-store.ts';
import type { PackLibrary } from './pack-library.ts';
import { createPacksEngine } from './packs-engine.ts';
import { loadPacks } from './pack-files.ts';
import { PracticeService } from './practice-service.ts';
import { type Progress, readProgress } from './progress-service.ts';
import type { SageServices } from './services.ts';
import { databaseOf } from './tables.ts';
import { TutorService } from './tutor-service.ts';

/** The tutor as tools, REST and the command line share it. */
export interface Sage {
  readonly tutor: TutorService;
  readonly practice: PracticeService;
  readonly library: () => Promise<PackLibrary>;
  learnerId(circumstances: Circumstances): Promise<string>;
  progress(circumstances: Circumstances): Promise<Progress>;
  graph(circumstances: Circumstances, filters?: GraphFilters): Promise<KnowledgeGraph>;
}

export function createSage(services: SageServices): Sage {
  let loaded: Promise<PackLibrary> | undefined;
  const library = () => (loaded ??= loadLibrary(services));
  let engine: Promise<TutorEngine> | undefined;
  const announce = (user: string, data: Record<string, unknown>) => {
    services.events.publish({ type: 'sage-changed', user, data });
  };
  const shared = { store: services.store, library, announce };
  return {
    library,
    tutor: new TutorService({
      ...shared,
      engine: () => (engine ??= createEngine(services, library)),
      strictWidgetCalls: services.strictWidgetCalls ?? false,
      waits: services.generate !== undefined,
    }),
    practice: new PracticeService({ ...shared, generate: services.generate }),
    learnerId: async (circumstances) =>
      (await openLearner(databaseOf(await services.store()), circumstances)).learner.id,
    progress: async (circumstances) => readProgress(await services.store(), circumstances),
    graph: async (circumstances, filters) => readGraph(await services.store(), circumstances, filters),
  };
}

async function createEngine(
  { generate, log }: SageServices,
  library: () => Promise<PackLibrary>,
): Promise<TutorEngine> {
  const known = await library();
  const packs = createPacksEngine(known);
  return generate ? createLlmEngine(generate, known, packs, log) : packs;
}

async function loadLibrary({ packs, log }: SageServices): Promise<PackLibrary> {
  if (packs !== undefined && typeof packs !== 'string') return packs;
  return loadPacks(packs, (message) => log?.warn(message));
}
