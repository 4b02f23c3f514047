import type { Graphs } from '../graph/open-graphs.ts';
import type { Events, Logger, Roots, Toolset } from '../kit/index.ts';
import type { SopToolsetServices } from '../sop/index.ts';
import type { Store } from '../store/store.ts';

/** What toolsets are built from. The store opens on first use, so what needs no database starts without one. */
export interface ToolsetServices {
  readonly store: () => Promise<Store>;
  readonly roots: Roots;
  readonly events: Events;
  readonly dataDirectory: string;
  /** The graphs the operator named, opened on first use. */
  readonly graphs: () => Promise<Graphs>;
  /** Procedures the operator named, the rules for all, and where conversations in them are recorded. */
  readonly sop?: Pick<SopToolsetServices, 'sops' | 'urls' | 'gate' | 'navigation' | 'recordIn' | 'log'>;
  /** The language model of the tutor, and where it tells what it left out; by default that of the environment. */
  readonly tutor?: { readonly model: string | undefined; readonly log: Logger };
}

type Load = (services: ToolsetServices) => Promise<Toolset>;

/** Every toolset by name, loaded only when served. */
const loaders = {
  sop: async (services) => (await import('../sop/index.ts')).createSopToolset({ ...services, ...services.sop }),
  graph: async (services) => (await import('../graph/tools.ts')).createGraphToolset(services),
  hnpx: async (services) => (await import('../hnpx/index.ts')).createHnpxToolset(services),
  sage: async (services) => (await import('./tutor.ts')).createTutor(services),
  tasks: async (services) => (await import('../tasks/index.ts')).createTasksToolset(services),
} satisfies Record<string, Load>;

export type ToolsetName = keyof typeof loaders;

export const toolsetNames = Object.keys(loaders) as ToolsetName[];

export function isToolsetName(name: string): name is ToolsetName {
  return Object.hasOwn(loaders, name);
}

export function loadToolsets(names: readonly ToolsetName[], services: ToolsetServices): Promise<Toolset[]> {
  return Promise.all(names.map((name) => loaders[name](services)));
}
