import { defineToolset, type Toolset } from '../kit/index.ts';
import { createSage } from './sage.ts';
import type { SageServices } from './services.ts';
import { createCoreTools } from './tools.ts';
import { createPracticeTools } from './tools-practice.ts';
import { createWidgetResources } from './widgets.ts';
import { toErrorReply } from './wire.ts';

export { type AnkiDeck, exportAnki } from './anki.ts';
export { type Circumstances, circumstancesOf } from './circumstances.ts';
export { loadPacks } from './pack-files.ts';
export { createPackLibrary, type PackLibrary } from './pack-library.ts';
export { lintPack, type PackProblem, readPack } from './pack-lint.ts';
export type { Pack } from './pack-model.ts';
export { createSage, type Sage } from './sage.ts';
export { exportLearner, importLearner, type LearnerImport } from './transfer.ts';
export type { Generate, SageServices } from './services.ts';

export function createSageToolset(services: SageServices): Toolset {
  const sage = createSage(services);
  const [start, checkin, message, progress, graph, end] = createCoreTools(sage);
  return defineToolset({
    name: 'sage',
    title: 'SAGE tutor',
    instructions:
      'A tutor. Start with sage_start_session, then pass each message of the learner to sage_message word for word and show the response. Never answer for the learner. Role plays: sage_practice_start.',
    tools: [start, checkin, message, progress, graph, ...createPracticeTools(sage), end].filter(
      (tool) => tool !== undefined,
    ),
    resources: createWidgetResources(services.widgetsDirectory),
    onError: toErrorReply,
  });
}
