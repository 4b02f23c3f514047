import { z } from 'zod';
import { annotate, defineTool, Reply, type Scope, type Tool } from '../kit/index.ts';
import { circumstancesOf } from './circumstances.ts';
import type { KnowledgeGraph } from './knowledge-graph.ts';
import type { Sage } from './sage.ts';
import { descriptorMeta, maxMessage, type Presentation, securitySchemes, sessionId, text, widgetMeta } from './wire.ts';

const activeOutcome = z.object({ id: z.string(), description: z.string() });
const named = z.object({ name: z.string(), displayName: z.string() });

/** What every tool of the tutor declares about access and looks. */
export function declare(scopes: readonly Scope[], presentation: Presentation) {
  return { scopes, securitySchemes: securitySchemes(scopes), meta: descriptorMeta(scopes, presentation) };
}

export function createCoreTools(sage: Sage): Tool[] {
  return [startSession(sage), checkin(sage), message(sage), progress(sage), graph(sage), endSession(sage)];
}

function startSession(sage: Sage): Tool {
  return defineTool({
    name: 'sage_start_session',
    title: 'Start a tutoring session',
    description:
      'Begin a tutoring session, e.g. when somebody wants to learn something. Gives the sessionId for the other tools and asks for a check-in. Example: {"goal":"negotiate pricing"}.',
    input: z.strictObject({ goal: text(2000).optional().describe('What the user wants to learn') }),
    output: z.object({
      sessionId: z.string(),
      learnerId: z.string(),
      suggestedGoal: z.string().nullable(),
      hasActiveOutcome: z.boolean(),
      activeOutcome: activeOutcome.nullable(),
    }),
    annotations: annotate.add,
    ...declare(['session:manage'], {
      widget: 'checkin',
      calledBy: 'both',
      invoking: 'Starting a session',
      invoked: 'Session started',
    }),
    async run({ goal }, context) {
      const started = await sage.tutor.start(circumstancesOf(context), goal);
      const { session, outcome, pendingFollowups, dueReviews } = started;
      return new Reply({
        structured: {
          sessionId: session.id,
          learnerId: started.learnerId,
          suggestedGoal: started.suggestedGoal,
          hasActiveOutcome: outcome !== undefined,
          activeOutcome: outcome ? { id: outcome.id, description: outcome.goal } : null,
        },
        text: [
          'Starting a new SAGE session. Please complete the check-in.',
          'Energy (low, medium or high)? How many minutes? What do you want to focus on? Where are you?',
          ...(pendingFollowups[0] ? [`Also: how did it go? (“${pendingFollowups[0]}”)`] : []),
          ...(dueReviews.length > 0 ? [`Due for review: ${dueReviews.join(', ')}.`] : []),
        ].join('\n'),
        meta: {
          ...widgetMeta('checkin', { callsTools: true, session: session.id }),
          checkinToken: session.checkinToken,
          pendingFollowups,
          dueReviews,
        },
      });
    },
  });
}

function checkin(sage: Sage): Tool {
  return defineTool({
    name: 'sage_checkin',
    title: 'Check in',
    description:
      'Submit the check-in of a session: how the learner is and what they came for. The answer says how the tutor adapts. May be sent again; fields not sent keep their value.',
    input: z.strictObject({
      session_id: sessionId.describe('Session ID from sage_start_session'),
      energy: z.enum(['low', 'medium', 'high']).optional().describe('Current energy'),
      time_available: z.int().min(1).max(600).optional().describe('Minutes available'),
      intention: text(2000).optional().describe('Focus of this session'),
      environment: text(500).optional().describe('Where they are: quiet office, commuting …'),
      checkin_token: text(200).optional().describe('Given to the widget'),
    }),
    output: z.object({
      status: z.literal('ready'),
      sessionId: z.string(),
      adaptations: z.object({
        pace: z.enum(['patient', 'moderate', 'fast']),
        depth: z.enum(['light', 'standard', 'deep']),
        practiceEnabled: z.boolean(),
      }),
    }),
    annotations: annotate.change,
    ...declare(['learner:write'], { calledBy: 'widget', invoking: 'Checking in', invoked: 'Checked in' }),
    async run({ session_id, energy, time_available, intention, environment, checkin_token }, context) {
      const { session, adapted } = await sage.tutor.checkin(
        circumstancesOf(context),
        session_id,
        { energy, timeAvailable: time_available, intention, environment },
        checkin_token,
      );
      const { pace, depth, practiceEnabled, reasons } = adapted;
      return new Reply({
        structured: { status: 'ready', sessionId: session.id, adaptations: { pace, depth, practiceEnabled } },
        text: ['Check-in complete. SAGE will adapt to your current state.', ...reasons].join(' '),
        meta: { adaptations: { pace, depth, practiceEnabled, reasons } },
      });
    },
  });
}

function message(sage: Sage): Tool {
  return defineTool({
    name: 'sage_message',
    title: 'Talk to the tutor',
    description:
      'Pass the learner\'s own words to the tutor and show its response unchanged; never answer its questions for them. Example: {"session_id":"sess_…","message":"I charge by the hour"}.',
    input: z.strictObject({
      session_id: sessionId.describe('Active session ID'),
      message: text(maxMessage).describe("The user's message"),
    }),
    output: z.object({
      response: z.string(),
      mode: z.string(),
      modeDescription: z.string(),
      conceptsDiscussed: z.array(z.string()),
      gapIdentified: named.nullable(),
      proofEarned: z
        .object({
          concept: z.string(),
          displayName: z.string(),
          demonstrationType: z.enum(['explanation', 'application', 'both']),
          confidence: z.number().min(0).max(1),
        })
        .nullable(),
      outcomeProgress: z.number().min(0).max(1),
    }),
    annotations: annotate.add,
    ...declare(['learner:write'], {
      calledBy: 'both',
      invoking: 'The tutor is thinking',
      invoked: 'The tutor answered',
    }),
    async run({ session_id, message: said }, context) {
      const { structured, meta } = await sage.tutor.message(circumstancesOf(context), session_id, said);
      return new Reply({ structured: structured as never, text: structured.response, meta: { ...meta } });
    },
  });
}

function progress(sage: Sage): Tool {
  return defineTool({
    name: 'sage_progress',
    title: 'Learning progress',
    description: "Show the learner's progress: active goal, proofs, streak, reviews that are due.",
    input: z.strictObject({}),
    output: z.object({
      activeOutcome: activeOutcome
        .extend({ progress: z.number(), conceptsRequired: z.int(), conceptsProven: z.int() })
        .nullable(),
      stats: z.object({ totalSessions: z.int(), totalProofs: z.int(), totalConcepts: z.int(), streakDays: z.int() }),
      recentProofs: z.array(z.object({ concept: z.string(), earnedAt: z.string() })),
    }),
    annotations: annotate.read,
    ...declare(['learner:read'], {
      widget: 'progress',
      calledBy: 'both',
      invoking: 'Looking at your progress',
      invoked: 'Your progress',
    }),
    async run(_input, context) {
      const { structured, fullState } = await sage.progress(circumstancesOf(context));
      const { activeOutcome: active, stats, recentProofs } = structured;
      const due = (fullState['dueReviews'] as { displayName: string }[]).map(({ displayName }) => displayName);
      return new Reply({
        structured: { ...structured, recentProofs: [...recentProofs] },
        text: [
          "Here's your learning progress.",
          active
            ? `${active.description}: ${Math.round(active.progress * 100)} %, ${active.conceptsProven} of ${active.conceptsRequired} concepts proven.`
            : 'No active goal.',
          `${count(stats.totalSessions, 'session')}, ${count(stats.totalProofs, 'proof')}, ${count(stats.totalConcepts, 'concept')}, a streak of ${count(stats.streakDays, 'day')}.`,
          ...(recentProofs.length > 0
            ? [`Proven last: ${recentProofs.map(({ concept }) => concept).join(', ')}.`]
            : []),
          ...(due.length > 0 ? [`Due for review: ${due.join(', ')}.`] : []),
        ].join('\n'),
        meta: { ...widgetMeta('progress'), fullState },
      });
    },
  });
}

function graph(sage: Sage): Tool {
  return defineTool({
    name: 'sage_graph',
    title: 'Knowledge graph',
    description: 'Show the learner\'s goals and concepts as a graph. Example: {"filters":{"showProvenOnly":true}}.',
    input: z.strictObject({
      filters: z
        .strictObject({
          showProvenOnly: z.boolean().optional(),
          showOutcomes: z.boolean().optional(),
          showConcepts: z.boolean().optional(),
          outcomeId: text(200).optional(),
        })
        .optional(),
    }),
    output: z.object({
      nodeCount: z.int(),
      edgeCount: z.int(),
      provenConcepts: z.int(),
      activeOutcome: z.string().nullable(),
    }),
    annotations: annotate.read,
    ...declare(['learner:read'], {
      widget: 'graph',
      calledBy: 'both',
      invoking: 'Drawing your knowledge graph',
      invoked: 'Your knowledge graph',
    }),
    async run({ filters }, context) {
      const found = await sage.graph(circumstancesOf(context), filters);
      const { nodes, edges, provenConcepts } = found;
      return new Reply({
        structured: {
          nodeCount: nodes.length,
          edgeCount: edges.length,
          provenConcepts,
          activeOutcome: found.activeOutcome,
        },
        text: graphInWords(found),
        meta: { ...widgetMeta('graph'), graphData: { nodes, edges } },
      });
    },
  });
}

const listed = 25;

function graphInWords({ nodes, edges, provenConcepts }: KnowledgeGraph): string {
  const concepts = nodes.filter(({ type }) => type === 'concept');
  const names = (proven: boolean) =>
    concepts.filter(({ data }) => (data['proven'] === true) === proven).map(({ label }) => label);
  const list = (title: string, labels: readonly string[]) => {
    if (labels.length === 0) return [];
    const more = labels.length > listed ? ` and ${labels.length - listed} more` : '';
    return [`${title}: ${labels.slice(0, listed).join(', ')}${more}.`];
  };
  return [
    "Here's your knowledge graph.",
    `${nodes.length} nodes, ${edges.length} edges, ${provenConcepts} proven.`,
    ...list('Proven', names(true)),
    ...list('Not yet', names(false)),
  ].join('\n');
}

function endSession(sage: Sage): Tool {
  return defineTool({
    name: 'sage_end_session',
    title: 'End the tutoring session',
    description: 'End a session when the learner is done. Gives a summary and next steps.',
    input: z.strictObject({ session_id: sessionId }),
    output: z.object({
      summary: z.object({
        duration: z.int(),
        conceptsExplored: z.int(),
        proofsEarned: z.int(),
        modeBreakdown: z.record(z.string(), z.number()),
      }),
      nextSteps: z.array(z.string()),
    }),
    annotations: annotate.change,
    ...declare(['session:manage'], { calledBy: 'model', invoking: 'Ending the session', invoked: 'Session ended' }),
    async run({ session_id }, context) {
      const { summary, nextSteps, alreadyEnded } = await sage.tutor.end(circumstancesOf(context), session_id);
      const { duration, conceptsExplored, proofsEarned } = summary;
      return new Reply({
        structured: { summary: { ...summary, modeBreakdown: { ...summary.modeBreakdown } }, nextSteps: [...nextSteps] },
        text: [
          `Session complete. ${duration} min, ${count(conceptsExplored, 'concept')} explored, ${count(proofsEarned, 'proof')} earned.`,
          'Next:',
          ...nextSteps.map((step) => `- ${step}`),
        ].join('\n'),
        ...(alreadyEnded ? { meta: { alreadyEnded: true } } : {}),
      });
    },
  });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
