import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDesk } from '../../packages/waymark/src/hnpx/hnpx.test-helpers.ts';

interface RecordedCall {
  readonly thought?: string;
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly isError?: boolean;
  readonly answer: string;
}

const here = (name: string) => new URL(name, import.meta.url);
const recording = async () =>
  (await readFile(here('the-lamp-tax.run.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedCall);

/** What differs from one run to the next: revisions follow from the random ids, snapshots carry the time. */
const withoutRevisions = (text: string) => text.replaceAll(/"(revision|snapshot_id)":"[^"]+"/g, '"$1":"…"');

describe('the recorded writing of The Lamp Tax', () => {
  test('replays call by call from create_document to render_document [HNPX-001] [HNPX-080] [HNPX-081] [HNPX-113]', async () => {
    const desk = await openDesk();
    /** Ids are random, so each recorded one stands for the one this run was given. */
    const ids = new Map<string, string>();
    const translated = (text: string) =>
      [...ids].reduce((result, [recorded, now]) => result.replaceAll(recorded, now), text);

    for (const call of await recording()) {
      const args = JSON.parse(translated(JSON.stringify(call.arguments))) as Record<string, unknown>;
      const answer = await desk.call(call.tool, args);
      if (call.tool.startsWith('create_') && !call.isError) {
        const { id } = JSON.parse(call.answer) as { id: string };
        ids.set(id, answer.structured['id'] as string);
      }
      expect(answer.isError, call.tool).toBe(call.isError ?? false);
      expect(withoutRevisions(answer.text)).toBe(withoutRevisions(translated(call.answer)));
    }
    const book = await readFile(join(desk.directory, 'the-lamp-tax.hnpx'), 'utf8');
    expect(book).toBe(translated(await readFile(here('the-lamp-tax.hnpx'), 'utf8')));
  });

  test('goes through every tool of the specification and recovers from refusals [HNPX-114]', async () => {
    const calls = await recording();
    expect(new Set(calls.map(({ tool }) => tool))).toEqual(
      new Set([
        'create_document',
        'edit_node_attributes',
        'get_next_empty_container',
        'create_chapter',
        'get_direct_children',
        'get_node_path',
        'create_sequence',
        'create_beat',
        'create_paragraph',
        'get_context',
        'render_node',
        'get_subtree',
        'get_node',
        'reorder_children',
        'remove_node',
        'validate_document',
        'get_stats',
        'render_document',
      ]),
    );
    const refusals = calls
      .filter(({ isError }) => isError)
      .map(({ answer }) => (JSON.parse(answer) as { code: string }).code);
    expect(refusals).toEqual(['VALIDATION_FAILED', 'INVALID_PARENT', 'MISSING_CHAR', 'READ_ONLY']);
    const asked = calls.filter(({ tool }) => tool === 'get_next_empty_container');
    expect(asked.at(-1)?.answer).toBe('null');
  });
});
