import type { Pack, PackConcept, PackOutcome, Scenario } from './pack-model.ts';

export interface KnownConcept {
  readonly pack: Pack;
  readonly concept: PackConcept;
}

export interface KnownScenario {
  readonly pack: Pack;
  readonly scenario: Scenario;
}

/** The packs at hand, found by the ids inside them. Where two packs share an id, the first has it. */
export interface PackLibrary {
  readonly packs: readonly Pack[];
  pack(id: string | null): Pack | undefined;
  outcome(packId: string | null, id: string | null): PackOutcome | undefined;
  concept(name: string): KnownConcept | undefined;
  scenario(id: string): KnownScenario | undefined;
  readonly scenarios: readonly KnownScenario[];
}

export function createPackLibrary(packs: readonly Pack[]): PackLibrary {
  const concepts = new Map<string, KnownConcept>();
  const scenarios = new Map<string, KnownScenario>();
  for (const pack of packs) {
    for (const concept of pack.concepts) if (!concepts.has(concept.id)) concepts.set(concept.id, { pack, concept });
    for (const scenario of pack.scenarios)
      if (!scenarios.has(scenario.id)) scenarios.set(scenario.id, { pack, scenario });
  }
  const packById = (id: string | null) => packs.find((pack) => pack.id === id);
  return {
    packs,
    pack: packById,
    outcome: (packId, id) => packById(packId)?.outcomes.find((outcome) => outcome.id === id),
    concept: (name) => concepts.get(name),
    scenario: (id) => scenarios.get(id),
    scenarios: [...scenarios.values()],
  };
}
