import { z } from 'zod';
import { ToolError } from '../../kit/index.ts';
import type { Book } from '../book/book.ts';
import { editAttributes, editSummary, editText } from './attributes.ts';
import { createBeat, createChapter, createParagraph, createSequence } from './create.ts';
import type { Edited, EditTools } from './edit.ts';
import { invalidAttribute } from './rules.ts';
import { mergeNodes, splitNode } from './split-merge.ts';
import { moveNodes, removeChildren, removeNode, removeNodes, reorderChildren } from './structure.ts';

const optional = z.string().nullish();
const where = { position: z.number().nullish(), before_id: optional, after_id: optional };
const parent = { parent_id: z.string(), ...where };

function operation<Schema extends z.ZodType>(
  schema: Schema,
  run: (book: Book, args: z.infer<Schema>, tools: EditTools) => Edited<object>,
) {
  return { schema, run: run as (book: Book, args: unknown, tools: EditTools) => Edited<object> };
}

/** The edits a batch may consist of; arguments as in the tools of the same name, without `file_path`. */
export const batchOperations = {
  create_chapter: operation(
    z.strictObject({ ...parent, title: z.string(), summary: z.string(), pov: optional }),
    createChapter,
  ),
  create_sequence: operation(
    z.strictObject({ ...parent, location: z.string(), summary: z.string(), time: optional, pov: optional }),
    createSequence,
  ),
  create_beat: operation(z.strictObject({ ...parent, summary: z.string() }), createBeat),
  create_paragraph: operation(
    z.strictObject({ ...parent, summary: optional, text: z.string(), mode: optional, char: optional }),
    createParagraph,
  ),
  edit_node_attributes: operation(
    z.strictObject({ node_id: z.string(), attributes: z.record(z.string(), z.unknown()) }),
    editAttributes,
  ),
  edit_summary: operation(z.strictObject({ node_id: z.string(), summary: z.string() }), editSummary),
  edit_paragraph_text: operation(z.strictObject({ node_id: z.string(), text: z.string() }), editText),
  remove_node: operation(z.strictObject({ node_id: z.string() }), removeNode),
  remove_nodes: operation(z.strictObject({ node_ids: z.array(z.string()) }), removeNodes),
  remove_node_children: operation(z.strictObject({ node_id: z.string() }), removeChildren),
  reorder_children: operation(
    z.strictObject({ parent_id: z.string(), child_ids: z.array(z.string()) }),
    reorderChildren,
  ),
  move_nodes: operation(
    z.strictObject({ node_ids: z.array(z.string()), new_parent_id: z.string(), ...where }),
    moveNodes,
  ),
  split_node: operation(
    z.strictObject({
      node_id: z.string(),
      at_child_id: optional,
      at_text: optional,
      summary: optional,
      title: optional,
    }),
    splitNode,
  ),
  merge_nodes: operation(
    z.strictObject({ node_ids: z.array(z.string()), summary: optional, separator: z.string().nullish() }),
    mergeNodes,
  ),
} as const;

type BatchOperationName = keyof typeof batchOperations;
export const batchOperationNames = Object.keys(batchOperations) as [BatchOperationName, ...BatchOperationName[]];

export interface BatchStep {
  readonly op: string;
  /** A name later steps may use in place of the id this step creates. */
  readonly temp_id?: string | null | undefined;
  readonly [argument: string]: unknown;
}

export interface BatchResult {
  readonly success: true;
  readonly count: number;
  /** The real id behind each temporary one. */
  readonly ids: Readonly<Record<string, string>>;
  readonly results: readonly object[];
  readonly message: string;
}

const maxSteps = 1000;

/** Applies the steps one after another; when one is refused, none of them happened. */
export function applyOperations(book: Book, steps: readonly BatchStep[], tools: EditTools): Edited<BatchResult> {
  if (steps.length > maxSteps) {
    throw new ToolError('LIMIT_EXCEEDED', `A batch has at most ${maxSteps} operations`, {
      count: steps.length,
      limit: maxSteps,
    });
  }
  const ids = new Map<string, string>();
  const results: object[] = [];
  let edited = book;
  for (const [position, step] of steps.entries()) {
    try {
      const outcome = applyStep(edited, step, ids, tools);
      edited = outcome.book;
      results.push({ op: step.op, ...outcome.result });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      throw new ToolError(error.code, `Operation ${position + 1} (${step.op}): ${error.message}`, {
        ...error.details,
        operation_index: position,
      });
    }
  }
  const message = `Applied ${steps.length} operation${steps.length === 1 ? '' : 's'}`;
  return {
    book: edited,
    result: { success: true, count: steps.length, ids: Object.fromEntries(ids), results, message },
  };
}

function applyStep(book: Book, step: BatchStep, ids: Map<string, string>, tools: EditTools): Edited<object> {
  const { op, temp_id: temporary, ...given } = step;
  if (!Object.hasOwn(batchOperations, op)) {
    throw invalidAttribute(`Unknown operation "${op}"`, { allowed: Object.keys(batchOperations) });
  }
  const { schema, run } = batchOperations[op as BatchOperationName];
  const parsed = schema.safeParse(withRealIds(given, ids));
  if (!parsed.success) throw argumentError(parsed.error);
  const outcome = run(book, parsed.data, tools);
  if (temporary) {
    const created =
      'new_id' in outcome.result ? outcome.result.new_id : 'id' in outcome.result ? outcome.result.id : undefined;
    if (typeof created !== 'string')
      throw invalidAttribute(`${op} creates no node that temp_id could name`, { attribute: 'temp_id' });
    if (ids.has(temporary) || book.find(temporary) >= 0) {
      throw invalidAttribute(`temp_id "${temporary}" is already in use`, { attribute: 'temp_id' });
    }
    ids.set(temporary, created);
  }
  return outcome;
}

function withRealIds(args: Record<string, unknown>, ids: ReadonlyMap<string, string>): Record<string, unknown> {
  const real = (value: unknown) => (typeof value === 'string' ? (ids.get(value) ?? value) : value);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (name.endsWith('_ids') && Array.isArray(value)) return [name, value.map(real)];
      return [name, name.endsWith('_id') ? real(value) : value];
    }),
  );
}

function argumentError(error: z.ZodError): ToolError {
  const [issue] = error.issues;
  const attribute = issue?.path.map(String).join('.') ?? '';
  if (issue?.code === 'invalid_type' && /received (undefined|null)/.test(issue.message)) {
    return new ToolError('MISSING_ATTRIBUTE', `Missing required attribute: ${attribute}`, { attribute });
  }
  return invalidAttribute(`${attribute ? `${attribute}: ` : ''}${issue?.message ?? 'invalid arguments'}`, {
    attribute,
  });
}
