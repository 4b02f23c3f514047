import { z } from 'zod';
import { type Scope, ToolError } from '../../kit/index.ts';
import type { Circumstances, Sage } from '../../sage/index.ts';

/** What a handler works with: the same services as the tools. */
export interface SageParts {
  readonly sage: Sage;
}

export interface SageRoute {
  readonly method: 'GET' | 'POST';
  /** As in OpenAPI: `/api/sessions/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly scope: Scope;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  readonly status?: number;
  readonly handle: (
    input: { readonly params: Record<string, string>; readonly query: never; readonly body: never },
    circumstances: Circumstances,
    parts: SageParts,
  ) => Promise<unknown>;
}

const words = (most: number) =>
  z
    .string()
    .max(most)
    .overwrite((value) => value.replaceAll('\0', ''));
const instant = z.string();
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

const session = z.object({
  id: z.string(),
  learner_id: z.string(),
  outcome_id: z.string().nullable(),
  active_outcome_id: z.string().nullable(),
  goal: z.string().nullable(),
  mode: z.string(),
  started_at: instant,
  ended_at: instant.nullable(),
  message_count: z.int(),
});
const learner = z.object({
  id: z.string(),
  active_outcome_id: z.string().nullable(),
  time_zone: z.string(),
  created_at: instant,
  stats: z.object({ totalSessions: z.int(), totalProofs: z.int(), totalConcepts: z.int(), streakDays: z.int() }),
});
const checkinFields = {
  energy: z.enum(['low', 'medium', 'high']).optional(),
  time_available: z.int().min(1).max(600).optional(),
  intention: words(2000).optional(),
  environment: words(500).optional(),
  mindset: words(500).optional(),
};
const checkinBody = z.strictObject({
  ...checkinFields,
  /** The nested form: what one brings, where one is, what one wants. */
  set: z
    .strictObject({
      energy: checkinFields.energy,
      mindset: checkinFields.mindset,
      time_available: checkinFields.time_available,
    })
    .optional(),
  setting: z.strictObject({ environment: checkinFields.environment }).optional(),
  intent: z.strictObject({ session_goal: checkinFields.intention }).optional(),
});
const mergeBody = z.union([z.strictObject({ data: checkinBody }), checkinBody]);
const answerOfCheckin = z.object({
  status: z.literal('ready'),
  sessionId: z.string(),
  adaptations: z.object({
    pace: z.enum(['patient', 'moderate', 'fast']),
    depth: z.enum(['light', 'standard', 'deep']),
    practiceEnabled: z.boolean(),
  }),
});
const answerOfMessage = z.object({
  response: z.string(),
  mode: z.string(),
  modeDescription: z.string(),
  conceptsDiscussed: z.array(z.string()),
  gapIdentified: z.object({ name: z.string(), displayName: z.string() }).nullable(),
  proofEarned: z.looseObject({ concept: z.string(), displayName: z.string() }).nullable(),
  outcomeProgress: z.number(),
  fullResponse: z.looseObject({ message: z.string(), currentMode: z.string(), transitionTo: z.string().nullable() }),
});
const scenario = z.object({ title: z.string(), sageRole: z.string(), userRole: z.string(), description: z.string() });
const preset = scenario.extend({
  id: z.string(),
  category: z.string(),
  difficulty: z.string(),
  relatedConcepts: z.array(z.string()),
});
const feedback = z.looseObject({
  summary: z.string(),
  positives: z.array(z.string()),
  improvements: z.array(z.string()),
  revealedGaps: z.array(z.string()),
});
const graphQuery = z.object({
  showProvenOnly: flag.optional(),
  showOutcomes: flag.optional(),
  showConcepts: flag.optional(),
  outcomeId: words(200).optional(),
});
const startBody = z.strictObject({
  scenario_id: words(200).optional(),
  custom_scenario: z
    .strictObject({
      title: words(200).min(1),
      description: words(2000).optional(),
      sage_role: words(200).min(1),
      user_role: words(200).optional(),
    })
    .optional(),
});
const sayBody = z.strictObject({ message: words(20_000) });

type Checkin = z.output<typeof checkinBody>;

/** Every route of the tutor, in the order of the document. */
export const sageRoutes: readonly SageRoute[] = [
  {
    method: 'POST',
    path: '/api/sessions',
    summary: 'Create a tutoring session',
    scope: 'session:manage',
    body: z.strictObject({ learner_id: words(200).optional(), goal: words(2000).optional() }),
    answer: session,
    status: 201,
    async handle({ body }, circumstances, { sage }) {
      const { learner_id, goal } = body as { learner_id?: string; goal?: string };
      if (learner_id !== undefined) await requireOwn(learner_id, circumstances, sage);
      const started = await sage.tutor.start(circumstances, goal);
      return showSession(started.session, started.learnerId, started.outcome?.id ?? null);
    },
  },
  {
    method: 'GET',
    path: '/api/sessions',
    summary: 'The newest sessions',
    scope: 'learner:read',
    query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
    answer: z.object({ sessions: z.array(session) }),
    async handle({ query }, circumstances, { sage }) {
      const { learner: who, sessions } = await sage.tutor.sessions(circumstances, (query as { limit: number }).limit);
      return { sessions: sessions.map((each) => showSession(each, who.id, who.activeOutcomeId)) };
    },
  },
  {
    method: 'GET',
    path: '/api/sessions/{id}',
    summary: 'A session with what was said in it',
    scope: 'learner:read',
    answer: session.extend({ messages: z.array(z.looseObject({ role: z.string(), content: z.string() })) }),
    async handle({ params }, circumstances, { sage }) {
      const found = await sage.tutor.read(circumstances, params['id'] ?? '');
      const shown = showSession(found.session, found.learner.id, found.learner.activeOutcomeId);
      return { ...shown, messages: found.messages };
    },
  },
  {
    method: 'POST',
    path: '/api/sessions/{id}/merge-data',
    summary: 'Merge check-in data into a session',
    scope: 'learner:write',
    body: mergeBody,
    answer: answerOfCheckin,
    async handle({ params, body }, circumstances, { sage }) {
      const given = body as Checkin | { data: Checkin };
      const flat = 'data' in given ? given.data : (given as Checkin);
      const { session: found, adapted } = await sage.tutor.checkin(circumstances, params['id'] ?? '', {
        energy: flat.energy ?? flat.set?.energy,
        timeAvailable: flat.time_available ?? flat.set?.time_available,
        intention: flat.intention ?? flat.intent?.session_goal,
        environment: flat.environment ?? flat.setting?.environment,
        mindset: flat.mindset ?? flat.set?.mindset,
      });
      const { pace, depth, practiceEnabled } = adapted;
      return { status: 'ready', sessionId: found.id, adaptations: { pace, depth, practiceEnabled } };
    },
  },
  {
    method: 'POST',
    path: '/api/sessions/{session_id}/end',
    summary: 'End a session; again gives the same answer',
    scope: 'session:manage',
    answer: z.object({
      summary: z.looseObject({ duration: z.int(), conceptsExplored: z.int(), proofsEarned: z.int() }),
      nextSteps: z.array(z.string()),
    }),
    async handle({ params }, circumstances, { sage }) {
      const { summary, nextSteps } = await sage.tutor.end(circumstances, params['session_id'] ?? '');
      return { summary, nextSteps };
    },
  },
  {
    method: 'POST',
    path: '/api/mcp/message',
    summary: 'Send a message to the tutor',
    scope: 'learner:write',
    body: z.strictObject({ session_id: words(200), message: words(20_000) }),
    answer: answerOfMessage,
    async handle({ body }, circumstances, { sage }) {
      const { session_id, message } = body as { session_id: string; message: string };
      const { structured, meta } = await sage.tutor.message(circumstances, session_id, message);
      return { ...structured, fullResponse: meta['fullResponse'] };
    },
  },
  {
    method: 'GET',
    path: '/api/learners/{id}',
    summary: 'The learner; `me` is whoever asks',
    scope: 'learner:read',
    answer: learner,
    async handle({ params }, circumstances, { sage }) {
      await requireOwn(params['id'] ?? '', circumstances, sage);
      const { structured, fullState } = await sage.progress(circumstances);
      const who = fullState['learner'] as {
        id: string;
        timeZone: string;
        createdAt: string;
        activeOutcomeId: string | null;
      };
      return {
        id: who.id,
        active_outcome_id: who.activeOutcomeId,
        time_zone: who.timeZone,
        created_at: who.createdAt,
        stats: structured.stats,
      };
    },
  },
  {
    method: 'GET',
    path: '/api/learners/{id}/state',
    summary: 'Everything about the learner',
    scope: 'learner:read',
    answer: z.looseObject({
      learner: z.looseObject({ id: z.string() }),
      outcomes: z.array(z.looseObject({ id: z.string() })),
      concepts: z.array(z.looseObject({ id: z.string() })),
      proofs: z.array(z.looseObject({ id: z.string() })),
      pendingFollowups: z.array(z.looseObject({ id: z.string() })),
    }),
    async handle({ params }, circumstances, { sage }) {
      await requireOwn(params['id'] ?? '', circumstances, sage);
      const { structured, fullState } = await sage.progress(circumstances);
      return { ...structured, ...fullState };
    },
  },
  {
    method: 'GET',
    path: '/api/learners/{id}/graph',
    summary: 'The knowledge graph',
    scope: 'learner:read',
    query: graphQuery,
    answer: z.object({
      nodes: z.array(z.looseObject({ id: z.string(), type: z.enum(['outcome', 'concept']), label: z.string() })),
      edges: z.array(z.object({ from: z.string(), to: z.string(), type: z.string() })),
      nodeCount: z.int(),
      edgeCount: z.int(),
      provenConcepts: z.int(),
      activeOutcome: z.string().nullable(),
    }),
    async handle({ params, query }, circumstances, { sage }) {
      await requireOwn(params['id'] ?? '', circumstances, sage);
      const graph = await sage.graph(circumstances, query);
      return { ...graph, nodeCount: graph.nodes.length, edgeCount: graph.edges.length };
    },
  },
  {
    method: 'GET',
    path: '/api/scenarios/presets',
    summary: 'The preset scenarios',
    scope: 'learner:read',
    answer: z.object({ scenarios: z.array(preset) }),
    async handle(_input, _circumstances, { sage }) {
      return { scenarios: await sage.practice.presets() };
    },
  },
  {
    method: 'POST',
    path: '/api/practice/start',
    summary: 'Start a role play',
    scope: 'learner:write',
    body: startBody,
    answer: z.object({ practiceSessionId: z.string(), scenario, initialMessage: z.string() }),
    status: 201,
    async handle({ body }, circumstances, { sage }) {
      const wanted = body as z.output<typeof startBody>;
      const { id, scenario: chosen } = await sage.practice.start(circumstances, {
        scenarioId: wanted.scenario_id,
        custom: wanted.custom_scenario,
      });
      const { title, sageRole, userRole, description, opening } = chosen;
      return { practiceSessionId: id, scenario: { title, sageRole, userRole, description }, initialMessage: opening };
    },
  },
  {
    method: 'POST',
    path: '/api/practice/{session_id}/message',
    summary: 'Speak in a role play',
    scope: 'learner:write',
    body: sayBody,
    answer: z.object({ characterResponse: z.string(), turnNumber: z.int(), hintAvailable: z.boolean() }),
    async handle({ params, body }, circumstances, { sage }) {
      const { message } = body as z.output<typeof sayBody>;
      const { reply, turn, hint } = await sage.practice.message(circumstances, params['session_id'] ?? '', message);
      return { characterResponse: reply, turnNumber: turn, hintAvailable: hint !== undefined };
    },
  },
  {
    method: 'POST',
    path: '/api/practice/{session_id}/hint',
    summary: 'A nudge for the role play',
    scope: 'learner:write',
    answer: z.object({ hint: z.string().nullable(), turnNumber: z.int() }),
    async handle({ params }, circumstances, { sage }) {
      const { hint, turn } = await sage.practice.hint(circumstances, params['session_id'] ?? '');
      return { hint, turnNumber: turn };
    },
  },
  {
    method: 'POST',
    path: '/api/practice/{session_id}/end',
    summary: 'End a role play with feedback; again gives the same answer',
    scope: 'learner:write',
    answer: feedback,
    async handle({ params }, circumstances, { sage }) {
      const { alreadyEnded: _known, ...full } = await sage.practice.end(circumstances, params['session_id'] ?? '');
      return full;
    },
  },
];

/** Other people's ids look like ids that do not exist. */
async function requireOwn(id: string, circumstances: Circumstances, sage: SageParts['sage']): Promise<void> {
  if (id === 'me' || id === (await sage.learnerId(circumstances))) return;
  throw new ToolError('LEARNER_NOT_FOUND', 'Learner not found', { learnerId: id });
}

interface ShownSession {
  readonly id: string;
  readonly outcomeId: string | null;
  readonly goal: string | null;
  readonly mode: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly turns: number;
}

function showSession(shown: ShownSession, learnerId: string, activeOutcomeId: string | null) {
  return {
    id: shown.id,
    learner_id: learnerId,
    outcome_id: shown.outcomeId,
    active_outcome_id: activeOutcomeId,
    goal: shown.goal,
    mode: shown.mode,
    started_at: shown.startedAt.toISOString(),
    ended_at: shown.endedAt?.toISOString() ?? null,
    message_count: shown.turns,
  };
}
