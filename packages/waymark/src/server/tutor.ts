import { createSageToolset } from '../sage/index.ts';
import type { Toolset } from '../kit/index.ts';
import type { ToolsetServices } from './toolsets.ts';
import { tutorModel } from './tutor-model.ts';

/** The tutor, with the language model of this process if one is chosen. */
export function createTutor({ store, events, tutor }: ToolsetServices): Toolset {
  return createSageToolset({ store, events, log: tutor?.log, generate: tutorModel(tutor?.model) });
}
