import { z } from 'zod';
import { annotate, defineTool, Reply, type Tool } from '../kit/index.ts';
import { circumstancesOf } from './circumstances.ts';
import type { Sage } from './sage.ts';
import { declare } from './tools.ts';
import { maxMessage, sessionId, text, widgetMeta } from './wire.ts';

export function createPracticeTools(sage: Sage): Tool[] {
  return [start(sage), say(sage), end(sage), hint(sage)];
}

function start(sage: Sage): Tool {
  return defineTool({
    name: 'sage_practice_start',
    title: 'Start a role play',
    description:
      'Begin a role play with a character. Give a preset scenario_id or a custom_scenario (title and sage_role); with neither, the one that suits the active goal. Example: {"scenario_id":"preset-pricing-call"}.',
    input: z.strictObject({
      scenario_id: text(200).optional().describe('ID of a preset'),
      custom_scenario: z
        .strictObject({
          title: text(200).min(1),
          description: text(2000).optional(),
          sage_role: text(200).min(1),
          user_role: text(200).optional(),
        })
        .optional(),
    }),
    output: z.object({
      practiceSessionId: z.string(),
      scenario: z.object({
        title: z.string(),
        sageRole: z.string(),
        userRole: z.string(),
        description: z.string(),
      }),
      initialMessage: z.string(),
    }),
    annotations: annotate.add,
    ...declare(['learner:write'], {
      widget: 'practice',
      calledBy: 'both',
      invoking: 'Setting the scene',
      invoked: 'The scene is set',
    }),
    async run({ scenario_id, custom_scenario }, context) {
      const { id, scenario, note } = await sage.practice.start(circumstancesOf(context), {
        scenarioId: scenario_id,
        custom: custom_scenario,
      });
      const { title, sageRole, userRole, description, opening } = scenario;
      return new Reply({
        structured: {
          practiceSessionId: id,
          scenario: { title, sageRole, userRole, description },
          initialMessage: opening,
        },
        text: [
          `Practice scenario started. I'll play: ${sageRole}. You are: ${userRole}.`,
          ...(note ? [note] : []),
          opening,
        ].join('\n\n'),
        meta: {
          ...widgetMeta('practice', { callsTools: true, session: id }),
          availableScenarios: await sage.practice.presets(),
          ...(note ? { note } : {}),
        },
      });
    },
  });
}

function say(sage: Sage): Tool {
  return defineTool({
    name: 'sage_practice_message',
    title: 'Speak in the role play',
    description: "Pass the learner's own words to the character and show its response unchanged.",
    input: z.strictObject({
      session_id: sessionId.describe('Practice session ID'),
      message: text(maxMessage).describe("The user's words in the role play"),
    }),
    output: z.object({ characterResponse: z.string(), turnNumber: z.int(), hintAvailable: z.boolean() }),
    annotations: annotate.add,
    ...declare(['learner:write'], { calledBy: 'both', invoking: 'Listening', invoked: 'Answered' }),
    async run({ session_id, message }, context) {
      const answer = await sage.practice.message(circumstancesOf(context), session_id, message);
      return new Reply({
        structured: {
          characterResponse: answer.reply,
          turnNumber: answer.turn,
          hintAvailable: answer.hint !== undefined,
        },
        text: answer.reply,
        meta: { hint: answer.hint ?? null, sceneOver: answer.over },
      });
    },
  });
}

function end(sage: Sage): Tool {
  return defineTool({
    name: 'sage_practice_end',
    title: 'End the role play',
    description: 'End a role play and get feedback on what was said. Gaps it shows join the active goal.',
    input: z.strictObject({ session_id: sessionId }),
    output: z.object({
      summary: z.string(),
      positives: z.array(z.string()),
      improvements: z.array(z.string()),
      revealedGaps: z.array(z.string()),
    }),
    annotations: annotate.change,
    ...declare(['learner:write'], {
      widget: 'practice',
      calledBy: 'both',
      invoking: 'Gathering feedback',
      invoked: 'Feedback',
    }),
    async run({ session_id }, context) {
      const circumstances = circumstancesOf(context);
      const { alreadyEnded, ...feedback } = await sage.practice.end(circumstances, session_id);
      const { summary, positives, improvements, revealedGaps } = feedback;
      return new Reply({
        structured: {
          summary,
          positives: [...positives],
          improvements: [...improvements],
          revealedGaps: [...revealedGaps],
        },
        text: [
          "Practice complete! Here's your feedback.",
          summary,
          ...(positives.length > 0 ? ['What worked:', ...positives.map((line) => `- ${line}`)] : []),
          ...(improvements.length > 0 ? ['To improve:', ...improvements.map((line) => `- ${line}`)] : []),
        ].join('\n'),
        meta: {
          ...widgetMeta('practice', { callsTools: true, session: session_id }),
          fullFeedback: { ...feedback, transcript: await sage.practice.transcript(circumstances, session_id) },
          ...(alreadyEnded ? { alreadyEnded: true } : {}),
        },
      });
    },
  });
}

function hint(sage: Sage): Tool {
  return defineTool({
    name: 'sage_practice_hint',
    title: 'Ask for a hint',
    description: 'A nudge for the role play at hand; nothing is deducted, but the feedback mentions it.',
    input: z.strictObject({ session_id: sessionId.describe('Practice session ID') }),
    output: z.object({ hint: z.string().nullable(), turnNumber: z.int() }),
    annotations: annotate.add,
    ...declare(['learner:write'], { calledBy: 'widget', invoking: 'Thinking of a hint', invoked: 'A hint' }),
    async run({ session_id }, context) {
      const found = await sage.practice.hint(circumstancesOf(context), session_id);
      return new Reply({
        structured: { hint: found.hint, turnNumber: found.turn },
        text: found.hint ?? 'You are doing what there is to do; go on.',
      });
    },
  });
}
