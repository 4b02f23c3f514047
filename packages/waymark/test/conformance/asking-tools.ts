import {
  acceptedContent,
  type ClientCapabilities,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { Reply, type Tool, type ToolAnswer } from '../../src/kit/index.ts';
import { fixture, type FixtureContext, text } from './fixture.ts';

interface Progress {
  readonly step: number;
}

export type FixtureStateCodec = RequestStateCodec<Progress>;

type FormSchema = Parameters<typeof inputRequired.elicit>[0]['requestedSchema'];

const form = (properties: Record<string, unknown>, required = Object.keys(properties)) =>
  ({ type: 'object', properties, required }) as FormSchema;

const askName = inputRequired.elicit({
  message: 'What is your name?',
  requestedSchema: form({ name: { type: 'string' } }),
});

function askModel(prompt: string, maxTokens: number) {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens,
  });
}

function sampledText(context: FixtureContext, key: string): string | undefined {
  const answer = inputResponse(context.answers, key);
  if (answer.kind !== 'sampling') return undefined;
  const blocks = [answer.result.content].flat();
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** Asks by a form and reports what came back, whatever it was. */
function askForm(context: FixtureContext, lead: string, message: string, schema: FormSchema): ToolAnswer<unknown> {
  const answer = inputResponse(context.answers, 'form');
  if (answer.kind !== 'elicit') {
    return inputRequired({ inputRequests: { form: inputRequired.elicit({ message, requestedSchema: schema }) } });
  }
  return text(`${lead}: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
}

const titled = (noun: string) =>
  ['First', 'Second', 'Third'].map((ordinal, index) => ({ const: `value${index + 1}`, title: `${ordinal} ${noun}` }));
const options = ['option1', 'option2', 'option3'];

/** Tools that ask the client for something. Written once; the SDK turns them into requests on the older wire. */
export function askingTools(codec: FixtureStateCodec): readonly Tool[] {
  const stepOf = (context: FixtureContext) => context.mcp.mcpReq.requestState<Progress>()?.step ?? 0;

  return [
    fixture(
      'test_sampling',
      (context, { prompt }) => {
        const said = sampledText(context, 'completion');
        if (said !== undefined) return text(`LLM response: ${said}`);
        return inputRequired({ inputRequests: { completion: askModel(prompt, 100) } });
      },
      z.object({ prompt: z.string() }),
    ),
    fixture(
      'test_elicitation',
      (context, { message }) =>
        askForm(
          context,
          'User response',
          message,
          form({
            username: { type: 'string', description: "User's response" },
            email: { type: 'string', description: "User's email address" },
          }),
        ),
      z.object({ message: z.string() }),
    ),
    fixture('test_elicitation_sep1034_defaults', (context) =>
      askForm(
        context,
        'Elicitation completed',
        'Please look through these values',
        form(
          {
            name: { type: 'string', default: 'John Doe' },
            age: { type: 'integer', default: 30 },
            score: { type: 'number', default: 95.5 },
            status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
            verified: { type: 'boolean', default: true },
          },
          [],
        ),
      ),
    ),
    fixture('test_elicitation_sep1330_enums', (context) =>
      askForm(
        context,
        'Elicitation completed',
        'Please choose',
        form(
          {
            untitledSingle: { type: 'string', enum: options },
            titledSingle: { type: 'string', oneOf: titled('Option') },
            legacyEnum: {
              type: 'string',
              enum: ['opt1', 'opt2', 'opt3'],
              enumNames: ['Option One', 'Option Two', 'Option Three'],
            },
            untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
            titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
          },
          [],
        ),
      ),
    ),
    fixture('test_missing_capability', () => inputRequired({ inputRequests: { summary: askModel('Summarise', 10) } })),
    fixture('test_streaming_elicitation', (context) => {
      context.progress(1, 2, 'About to ask');
      return inputRequired({ inputRequests: { user_name: askName } });
    }),
    fixture('test_input_required_result_elicitation', (context) => {
      const answer = acceptedContent(context.answers, 'user_name', z.object({ name: z.string() }));
      return answer ? text(`Hello, ${answer.name}!`) : inputRequired({ inputRequests: { user_name: askName } });
    }),
    fixture('test_input_required_result_sampling', (context) => {
      const said = sampledText(context, 'capital_question');
      if (said !== undefined) return text(said);
      return inputRequired({ inputRequests: { capital_question: askModel('What is the capital of France?', 100) } });
    }),
    fixture('test_input_required_result_list_roots', (context) => {
      const answer = inputResponse(context.answers, 'client_roots');
      if (answer.kind !== 'roots') return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
      return text(answer.roots.map((root) => root.uri).join(', '));
    }),
    fixture('test_input_required_result_request_state', async (context) => {
      if (stepOf(context) === 1 && acceptedContent(context.answers, 'confirm')) return text('state-ok');
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({
            message: 'Please confirm',
            requestedSchema: form({ ok: { type: 'boolean' } }),
          }),
        },
        requestState: await codec.mint({ step: 1 }, context.mcp),
      });
    }),
    fixture('test_input_required_result_tampered_state', async (context) => {
      if (stepOf(context) === 1) return text('The state is as it was given out.');
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({
            message: 'Please confirm',
            requestedSchema: form({ ok: { type: 'boolean' } }),
          }),
        },
        requestState: await codec.mint({ step: 1 }, context.mcp),
      });
    }),
    fixture('test_input_required_result_multiple_inputs', async (context) => {
      const name = acceptedContent(context.answers, 'user_name', z.object({ name: z.string() }));
      const greeting = sampledText(context, 'greeting');
      const roots = inputResponse(context.answers, 'client_roots');
      if (name && greeting !== undefined && roots.kind === 'roots' && stepOf(context) === 1) {
        return text(`${greeting} ${name.name}, with ${roots.roots.length} roots`);
      }
      return inputRequired({
        inputRequests: {
          user_name: askName,
          greeting: askModel('Generate a greeting', 50),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await codec.mint({ step: 1 }, context.mcp),
      });
    }),
    fixture('test_input_required_result_multi_round', async (context) => {
      const step = stepOf(context);
      if (step === 2 && acceptedContent(context.answers, 'step2')) return text('All rounds are done.');
      if (step === 1 && acceptedContent(context.answers, 'step1')) {
        const ask = inputRequired.elicit({
          message: 'Step 2: What is your favorite color?',
          requestedSchema: form({ color: { type: 'string' } }),
        });
        return inputRequired({
          inputRequests: { step2: ask },
          requestState: await codec.mint({ step: 2 }, context.mcp),
        });
      }
      const ask = inputRequired.elicit({
        message: 'Step 1: What is your name?',
        requestedSchema: form({ name: { type: 'string' } }),
      });
      return inputRequired({ inputRequests: { step1: ask }, requestState: await codec.mint({ step: 1 }, context.mcp) });
    }),
    fixture('test_input_required_result_capabilities', ({ mcp }) => {
      const envelope = mcp.mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined;
      const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY];
      const inputRequests = {
        ...(declared?.sampling ? { greeting: askModel('Generate a greeting', 50) } : {}),
        ...(declared?.elicitation ? { user_name: askName } : {}),
      };
      if (Object.keys(inputRequests).length === 0) return new Reply({ text: 'This client can be asked nothing.' });
      return inputRequired({ inputRequests });
    }),
  ];
}
