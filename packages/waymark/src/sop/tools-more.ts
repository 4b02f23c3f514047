import { z } from 'zod';
import { annotate, defineTool, type Tool } from '../kit/index.ts';
import { problemAnswer } from './answers.ts';
import { replayRecords } from './conversation.ts';
import type { Conversations } from './conversations.ts';
import type { Library } from './library.ts';
import type { Navigation } from './model.ts';

/** Tools for looking at procedures and at what was done with them. */
export function createReviewTools(conversations: Conversations, library: Library, navigation: Navigation): Tool[] {
  const shared = { annotations: annotate.read, scopes: ['sop:run'], tier: 'more' } as const;

  const listConversations = defineTool({
    ...shared,
    name: 'list_conversations',
    title: 'List SOP conversations',
    description: 'Your recorded conversations, newest first, with agent and current node.',
    input: z.strictObject({ limit: z.int().min(1).max(200).optional() }),
    async run({ limit = 50 }, { user }) {
      const entries = await conversations.log.list(user.id);
      const rows = entries.slice(0, limit).map(async ({ id, startedAt, lastUsedAt }) => {
        const conversation = replayRecords(id, (await conversations.log.read(id)) ?? []);
        const walk = conversation?.walks.get(conversation.agent ?? '');
        return {
          conversation_id: id,
          agent: walk?.agent ?? null,
          current_node: walk?.path.at(-1) ?? null,
          complete: walk?.complete ?? false,
          started_at: startedAt,
          last_used_at: lastUsedAt,
        };
      });
      return { total: entries.length, conversations: await Promise.all(rows) };
    },
  });

  const readConversation = defineTool({
    ...shared,
    name: 'replay_conversation',
    title: 'Replay an SOP conversation',
    description:
      'Everything recorded of a conversation. With sop_file, also the moves which that version of the SOP decides otherwise.',
    input: z.strictObject({ conversation_id: z.string(), sop_file: z.string().optional() }),
    async run({ conversation_id: id, sop_file: file }, context) {
      const records = await conversations.history(context.user.id, id);
      if (file === undefined) return { conversation_id: id, records };
      const { sop } = await library.load(file, context.signal);
      const { replayConversation } = await import('./replay.ts');
      return { conversation_id: id, records, replay: replayConversation(sop, records, navigation) };
    },
  });

  const cover = defineTool({
    ...shared,
    name: 'cover_sop',
    title: 'Coverage of an SOP',
    description: 'Which nodes and edges of an SOP your recorded conversations have used.',
    input: z.strictObject({ sop_file: z.string().min(1) }),
    async run({ sop_file: file }, context) {
      const { sop } = await library.load(file, context.signal);
      const { CoverageCounter } = await import('./coverage.ts');
      const counter = new CoverageCounter(sop);
      for (const { id } of await conversations.log.list(context.user.id)) {
        counter.addConversation((await conversations.log.read(id)) ?? []);
      }
      return { agent: sop.agent, ...counter.result() };
    },
  });

  const check = defineTool({
    ...shared,
    name: 'check_sop',
    title: 'Check an SOP',
    description: 'Mistakes and doubtful places of an SOP file, with line and column.',
    input: z.strictObject({ sop_file: z.string().min(1) }),
    async run({ sop_file: file }, { signal }) {
      const { text, name } = await library.read(file, signal);
      const [{ lintSop }, { parseSop }] = await Promise.all([import('./lint.ts'), import('./parse-sop.ts')]);
      const problems = lintSop(parseSop(text, name));
      return {
        ok: problems.every(({ severity }) => severity !== 'error'),
        problems: problems.map((problem) => ({ severity: problem.severity, ...problemAnswer(problem) })),
      };
    },
  });

  return [listConversations, readConversation, cover, check];
}
