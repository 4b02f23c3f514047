import { z } from 'zod';
import { annotate, defineTool, type Tool } from '../kit/index.ts';
import type { SopReview } from './review.ts';
import { reviewOutputs } from './tool-outputs.ts';

/** Tools for looking at procedures and at what was done with them. */
export function createReviewTools(openReview: () => Promise<SopReview>): Tool[] {
  const shared = { annotations: annotate.read, scopes: ['sop:run'], tier: 'more' } as const;

  const listConversations = defineTool({
    ...shared,
    name: 'list_conversations',
    title: 'List SOP conversations',
    description: 'Your recorded conversations, newest first, with agent and current node.',
    input: z.strictObject({ limit: z.int().min(1).max(200).optional() }),
    output: reviewOutputs.conversations,
    run: async ({ limit = 50 }, { user }) => (await openReview()).conversations(user.id, limit),
  });

  const replayConversation = defineTool({
    ...shared,
    name: 'replay_conversation',
    title: 'Replay an SOP conversation',
    description:
      'Everything recorded of a conversation. With sop_file, also the moves which that version of the SOP decides otherwise.',
    input: z.strictObject({ conversation_id: z.string(), sop_file: z.string().optional() }),
    output: reviewOutputs.replay,
    async run({ conversation_id: id, sop_file: file }, { user, signal }) {
      const review = await openReview();
      const records = await review.history(user.id, id);
      if (file === undefined) return { conversation_id: id, records };
      const { moves, differences } = await review.replay(user.id, id, file, signal);
      return { conversation_id: id, records, replay: { moves, differences } };
    },
  });

  const cover = defineTool({
    ...shared,
    name: 'cover_sop',
    title: 'Coverage of an SOP',
    description: 'Which nodes and edges of an SOP your recorded conversations have used.',
    input: z.strictObject({ sop_file: z.string().min(1) }),
    output: reviewOutputs.coverage,
    run: async ({ sop_file: file }, { user, signal }) => (await openReview()).coverage(user.id, file, signal),
  });

  const check = defineTool({
    ...shared,
    name: 'check_sop',
    title: 'Check an SOP',
    description: 'Mistakes and doubtful places of an SOP file, with line and column.',
    input: z.strictObject({ sop_file: z.string().min(1) }),
    output: reviewOutputs.check,
    async run({ sop_file: file }, { signal }) {
      const { problems } = await (await openReview()).read(file, signal);
      return { ok: problems.every(({ severity }) => severity !== 'error'), problems };
    },
  });

  return [listConversations, replayConversation, cover, check];
}
