import { defineToolset, type Toolset } from '../kit/index.ts';
import { errorReply } from './error-reply.ts';
import { createPrompts } from './prompts.ts';
import { createResources } from './resources.ts';
import { createExportTools } from './tools-export.ts';
import { createHistoryTools } from './tools-history.ts';
import { createInsightTools } from './tools-insight.ts';
import { createReadTools } from './tools-read.ts';
import { createRenderTools } from './tools-render.ts';
import { createStructureTools } from './tools-structure.ts';
import { createWriteTools } from './tools-write.ts';
import { createWorkshop, type HnpxServices } from './workshop.ts';

export type { HnpxServices } from './workshop.ts';
export { defaultLimits, type Limits } from './model.ts';

const instructions = `HNPX books are planned from the top down: book, chapter, sequence, beat, paragraph; every node has a short summary, paragraphs hold the text.
Start with create_document and set the book's summary with edit_node_attributes. Then repeat: get_next_empty_container names the node to expand; add its children with create_chapter, create_sequence, create_beat or create_paragraph; stop when it returns null. Review with render_node or render_document, revise with edit_node_attributes, reorder_children and remove_node.
Every answer carries the book's revision; pass it as expected_revision to refuse a change when someone else wrote in between.`;

/** The tools to plan and write a book in HNPX files below the roots. Needs no database. */
export function createHnpxToolset(services: HnpxServices): Toolset {
  const workshop = createWorkshop(services);
  return defineToolset({
    name: 'hnpx',
    title: 'Books',
    instructions,
    tools: [
      ...createWriteTools(workshop),
      ...createReadTools(workshop),
      ...createRenderTools(workshop),
      ...createStructureTools(workshop),
      ...createInsightTools(workshop),
      ...createHistoryTools(workshop),
      ...createExportTools(workshop),
    ],
    resources: createResources(workshop, services.roots),
    prompts: createPrompts(workshop, services.roots),
    onError: errorReply,
  });
}
