import { acceptedContent, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { PromptDefinition, ResourceDefinition } from '../../src/kit/index.ts';
import { redPixel } from './samples.ts';

const says = (content: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: content } });
const described = (name: string) => ({
  name,
  title: name,
  description: `Fixture of the conformance suite: ${name.replaceAll('_', ' ')}.`,
  scopes: [],
});

export const prompts: readonly PromptDefinition[] = [
  {
    ...described('test_simple_prompt'),
    arguments: z.object({}),
    get: () => ({ messages: [says('This is a simple prompt for testing.')] }),
  },
  {
    ...described('test_prompt_with_arguments'),
    arguments: z.object({ arg1: z.string().describe('First'), arg2: z.string().describe('Second') }),
    get: ({ arg1, arg2 }) => ({ messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
    complete: (_argument, typed) => ['paris', 'park', 'party'].filter((word) => word.startsWith(typed)),
  },
  {
    ...described('test_prompt_with_embedded_resource'),
    arguments: z.object({ resourceUri: z.string().describe('What to embed') }),
    get: ({ resourceUri = '' }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        says('Please process the embedded resource above.'),
      ],
    }),
  },
  {
    ...described('test_prompt_with_image'),
    arguments: z.object({}),
    get: () => ({
      messages: [
        { role: 'user', content: { type: 'image', data: redPixel, mimeType: 'image/png' } },
        says('Please analyze the image above.'),
      ],
    }),
  },
  {
    ...described('test_input_required_result_prompt'),
    arguments: z.object({}),
    get: (_args, { answers }) => {
      const answer = acceptedContent(answers, 'user_context', z.object({ context: z.string() }));
      if (answer) return { messages: [says(`In the context of ${answer.context}`)] };
      const ask = inputRequired.elicit({
        message: 'What context should the prompt use?',
        requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
      });
      return inputRequired({ inputRequests: { user_context: ask } });
    },
  },
];

export const watchedUri = 'test://watched-resource';

export const resources: readonly ResourceDefinition[] = [
  {
    ...described('static-text'),
    uri: 'test://static-text',
    mimeType: 'text/plain',
    read: (uri) => ({
      contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    }),
  },
  {
    ...described('static-binary'),
    uri: 'test://static-binary',
    mimeType: 'image/png',
    read: (uri) => ({ contents: [{ uri, mimeType: 'image/png', blob: redPixel }] }),
  },
  {
    ...described('watched-resource'),
    uri: watchedUri,
    mimeType: 'text/plain',
    read: (uri) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'Watched.' }] }),
  },
  {
    ...described('template'),
    uri: 'test://template/{id}/data',
    mimeType: 'application/json',
    read: (uri, { id }) => ({
      contents: [
        {
          uri,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  },
];
