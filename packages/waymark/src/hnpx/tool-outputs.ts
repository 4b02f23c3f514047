import { z } from 'zod';
import { batchOperationNames } from './edit/batch.ts';
import { exportFormats } from './export/export-book.ts';
import { dialects, nodeKinds, severities } from './model.ts';
import { statuses } from './read/progress.ts';
import { searchFields } from './read/search.ts';

const id = z.string();
const ids = z.array(id);
const type = z.enum(nodeKinds);
const count = z.int();
const counts = z.record(z.string(), count);
const summary = z.string().nullable();
const revision = z.string();
const dialect = z.enum(dialects);
const status = z.enum(statuses);
const field = z.enum(searchFields);

/** Strict, so that a field an answer has and its schema has not is found by the tests and not by a client. */
const answer = z.strictObject;
const done = { success: z.literal(true), message: z.string() };
/** Absent where nothing was changed. */
const kept = { snapshot_id: id.exactOptional() };
const noted = { id, type, summary };

const removed = { removed_ids: ids, removed_count: count };
const replaced = {
  dry_run: z.boolean(),
  changed: count,
  changes: z.array(answer({ id, type, field, before: z.string(), after: z.string() })),
};
const batchStep = answer({
  op: z.enum(batchOperationNames),
  ...done,
  id: id.exactOptional(),
  type: type.exactOptional(),
  parent_id: id.exactOptional(),
  new_id: id.exactOptional(),
  merged_ids: ids.exactOptional(),
  moved_ids: ids.exactOptional(),
  removed_ids: ids.exactOptional(),
  removed_count: count.exactOptional(),
});

/** What the tools that change a book answer. */
export const changeOutputs = {
  document: answer({ ...done, id, type: z.literal('book'), book_id: id, file_path: z.string(), revision }),
  created: answer({ ...done, id, type, parent_id: id, revision }),
  changed: answer({ ...done, id, type, revision }),
  removedNode: answer({ ...done, id, type, removed_count: count, ...kept, revision }),
  removed: answer({ ...done, ...removed, ...kept, revision }),
  moved: answer({ ...done, moved_ids: ids, parent_id: id, type, revision }),
  split: answer({ ...done, id, new_id: id, revision }),
  merged: answer({ ...done, id, merged_ids: ids, ...kept, revision }),
  batch: answer({
    ...done,
    count,
    ids: z.record(z.string(), id),
    results: z.array(batchStep),
    ...kept,
    revision,
  }),
  replaced: answer({ ...done, ...replaced, ...kept, revision }),
  migrated: answer({ ...done, from: dialect, to: dialect, changes: z.array(z.string()), ...kept, revision }),
  snapshot: answer({ ...done, snapshot_id: id, revision }),
  restored: answer({ ...done, restored: id, ...kept, revision }),
  undone: answer({ ...done, undone: z.string(), changed_at: z.string(), remaining: count, revision }),
  exported: answer({ ...done, format: z.enum(exportFormats), output_path: z.string(), bytes: count, revision }),
} as const;

const xml = z.string();
const outlineEntry = answer({ ...noted, depth: count, heading: z.string(), status, words: count, children: count });
const chapterStats = answer({
  id,
  title: z.string(),
  status,
  words: count,
  paragraphs: count,
  beats: count,
  beats_written: count,
});
const character = answer({
  name: z.string(),
  dialogue_paragraphs: count,
  thought_paragraphs: count,
  words: count,
  pov_chapters: ids,
  pov_sequences: ids,
  mentions: count,
  chapters: ids,
  first_id: id.nullable(),
  last_id: id.nullable(),
});
const violation = answer({
  severity: z.enum(severities),
  code: z.string(),
  message: z.string(),
  line: count,
  column: count,
  id: id.exactOptional(),
});
const change = answer({ before: z.string().nullable(), after: z.string().nullable() });

/** What the tools that only look answer. */
export const readOutputs = {
  /** Structured content is an object, so `null` is told as a result. */
  nextEmpty: z.union([answer({ id, type, message: z.string() }), answer({ result: z.null() })]),
  node: answer({
    xml,
    id,
    type,
    parent_id: id.nullable(),
    attributes: z.record(z.string(), z.string()),
    summary,
    text: z.string().exactOptional(),
    effective_char: z.string().nullable().exactOptional(),
    child_count: count.exactOptional(),
    effective_pov: z.string().nullable(),
    revision,
  }),
  subtree: answer({ xml, id, type, node_count: count, omitted_nodes: count, truncated: z.boolean(), revision }),
  children: answer({ xml, parent_id: id, child_ids: ids, total: count, offset: count, returned: count, revision }),
  path: answer({ xml, id, path_ids: ids, depth: count, revision }),
  rendered: answer({
    text: z.string(),
    truncated: z.boolean(),
    total_characters: count,
    next_offset: count.exactOptional(),
    revision,
  }),
  root: answer({ id, type: z.literal('book'), dialect, revision }),
  found: answer({
    total: count,
    hits: z.array(answer({ id, type, field, start: count, snippet: z.string() })),
    offset: count,
    limit: count,
    revision,
  }),
  outline: answer({ nodes: z.array(outlineEntry), revision }),
  stats: answer({
    words: count,
    reading_minutes: count,
    chapters: count,
    sequences: count,
    beats: count,
    paragraphs: count,
    paragraphs_written: count,
    beats_written: count,
    empty_containers: count,
    progress_percent: count,
    words_by_mode: answer({ narration: count, dialogue: count, internal: count }),
    words_by_pov: counts,
    words_by_character: counts,
    by_chapter: z.array(chapterStats),
    revision,
  }),
  characters: answer({ characters: z.array(character), revision }),
  context: answer({
    path: z.array(answer({ ...noted, heading: z.string() })),
    siblings: z.array(answer({ id, summary: z.string(), is_target: z.boolean() })),
    pov: z.string().nullable(),
    previous_text: z.string(),
    next_text: z.string(),
    truncated: z.boolean(),
    revision,
  }),
  report: answer({
    valid: z.boolean(),
    errors: count,
    warnings: count,
    violations: z.array(violation),
    revision: revision.nullable(),
  }),
  snapshots: answer({
    snapshots: z.array(answer({ id, created_at: z.string(), revision, reason: z.string(), bytes: count })),
    revision,
  }),
  difference: answer({
    added: z.array(answer(noted)),
    removed: z.array(answer(noted)),
    moved: z.array(answer({ ...noted, from: z.string(), to: z.string() })),
    changed: z.array(answer({ ...noted, fields: z.record(z.string(), change) })),
    counts: answer({ added: count, removed: count, moved: count, changed: count }),
    revision,
  }),
} as const;
