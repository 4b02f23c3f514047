import { setTimeout as pause } from 'node:timers/promises';
import { type CompiledSchema, type JsonSchema, Reply, type Tool, ToolError } from '../../src/kit/index.ts';
import { fixture, text } from './fixture.ts';
import { redPixel, silence } from './samples.ts';

const image = { type: 'image' as const, data: redPixel, mimeType: 'image/png' };

function embedded(uri: string, mimeType: string, content: string) {
  return { type: 'resource' as const, resource: { uri, mimeType, text: content } };
}

/** The suite looks at what the notifications are, and that they come while the tool still runs. */
const betweenNotifications = 50;

export const contentTools: readonly Tool[] = [
  fixture('test_simple_text', () => text('This is a simple text response for testing.')),
  fixture('test_image_content', () => new Reply({ content: [image] })),
  fixture(
    'test_audio_content',
    () => new Reply({ content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }] }),
  ),
  fixture(
    'test_embedded_resource',
    () =>
      new Reply({
        content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
      }),
  ),
  fixture(
    'test_multiple_content_types',
    () =>
      new Reply({
        content: [
          { type: 'text', text: 'Multiple content types test:' },
          image,
          embedded('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
        ],
      }),
  ),
  fixture('test_error_handling', () => {
    throw new ToolError('TEST_ERROR', 'This tool intentionally returns an error for testing');
  }),
  fixture('test_tool_with_progress', async (context) => {
    for (const done of [0, 50, 100]) {
      context.progress(done, 100, `${done} of 100`);
      await pause(betweenNotifications);
    }
    return text('Made progress.');
  }),
  fixture('test_tool_with_logging', async ({ mcp }) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcp.mcpReq.log('info', line);
      await pause(betweenNotifications);
    }
    return text('Logged three lines.');
  }),
  fixture('test_logging_tool', async ({ mcp }) => {
    await mcp.mcpReq.log('info', 'Only for those who asked for it');
    return text('Logged, where asked for.');
  }),
  fixture('json_schema_2020_12_tool', () => text('ok'), fullVocabulary()),
];

/** A schema whose every keyword must reach the client as it stands. */
function fullVocabulary(): CompiledSchema<unknown> {
  const json: JsonSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of the schema language
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  };
  return { json, parse: (value) => ({ ok: true, value }) };
}
