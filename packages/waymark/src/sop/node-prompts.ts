import { type Document, isMap, isScalar, type Pair } from 'yaml';
import { z } from 'zod';
import type { Fence, Outline, Section } from './markdown.ts';
import type { Example, Requirement } from './model.ts';
import { readYaml } from './read-yaml.ts';
import { parseRequirements } from './requirements.ts';

/** What a Node Prompts section says about one node. */
export interface NodePrompt {
  readonly id: string;
  readonly prompt: string | undefined;
  readonly tools: readonly string[] | undefined;
  readonly examples: readonly Example[] | undefined;
  readonly requires: readonly Requirement[] | undefined;
  /** By the node an edge leads to. */
  readonly exits: Readonly<Record<string, readonly Requirement[]>>;
  readonly offset: number;
  readonly place: PromptPlace | undefined;
}

/** Where the text of a prompt stands in the file, or would stand, and how it is written there. */
export interface PromptPlace {
  readonly form: 'markdown' | 'yaml-block' | 'yaml-flow';
  readonly start: number;
  readonly end: number;
  /** Of the lines of a YAML block. */
  readonly indent: number;
}

export interface PromptProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly offset: number;
  readonly message: string;
}

const list = z.union([z.array(z.string()), z.string().transform((one) => [one])]).nullish();
const fieldsSchema = z.looseObject({
  prompt: z.string().nullish(),
  policy: z.string().nullish(),
  node_instructions: z.string().nullish(),
  tools: list,
  tool_hints: list,
  examples: z.array(z.looseObject({ user: z.coerce.string(), agent: z.coerce.string() })).nullish(),
  requires: z.unknown().optional(),
  exits: z.record(z.string(), z.unknown()).nullish(),
});
const promptFields = new Set(['prompt', 'policy', 'node_instructions']);
const knownFields = new Set(Object.keys(fieldsSchema.shape));

const promptHeading = /^(?:node prompts|sop node prompts|sop node policies|node policies)\b/i;

export function isPromptSection({ title }: Section): boolean {
  return promptHeading.test(title);
}

/**
 * Reads every Node Prompts section. Three ways of writing are in use: a `### NODE_ID` heading per node,
 * one fenced YAML block with `node_prompts:`, and bare YAML with a node id per key.
 */
export function parseNodePrompts(
  source: string,
  { sections, fences }: Outline,
): { prompts: NodePrompt[]; problems: PromptProblem[] } {
  const reader = new PromptReader(source);
  for (const section of sections.filter(isPromptSection)) {
    const inside = (item: { start: number }) => item.start >= section.bodyStart && item.start < section.end;
    const parts = sections.filter((part) => part.level === section.level + 1 && inside(part));
    const firstPart = parts[0]?.start ?? section.end;
    const blocks = fences.filter((fence) => inside(fence) && fence.start < firstPart && isYaml(fence));
    for (const block of blocks) reader.readMapping(block.contentStart, block.contentEnd);
    if (parts.length === 0 && blocks.length === 0) reader.readMapping(section.bodyStart, section.end, 'warning');
    for (const part of parts)
      reader.readPart(
        part,
        fences.filter((fence) => fence.start >= part.bodyStart && fence.start < part.end),
      );
  }
  return { prompts: [...reader.prompts.values()], problems: reader.problems };
}

function isYaml({ language }: Fence): boolean {
  return language === 'yaml' || language === 'yml';
}

class PromptReader {
  readonly prompts = new Map<string, NodePrompt>();
  readonly problems: PromptProblem[] = [];
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  /** `### NODE_ID`, its YAML and its markdown. */
  readPart(part: Section, fences: readonly Fence[]): void {
    const id = part.title.replace(/^`(.*)`$/, '$1').trim();
    const isBlank = (start: number, end: number) => this.#source.slice(start, end).trim() === '';
    const metadata: Fence[] = [];
    let textStart = part.bodyStart;
    for (const fence of fences) {
      if (!isYaml(fence) || !isBlank(textStart, fence.start)) break;
      metadata.push(fence);
      textStart = fence.end;
    }
    let values: Record<string, unknown> = {};
    for (const { contentStart, contentEnd } of metadata) {
      const document = this.#parseYaml(contentStart, contentEnd);
      const value: unknown = document?.toJS({ maxAliasCount: 100 });
      if (isRecord(value)) values = { ...values, ...value };
      else if (value !== null && value !== undefined)
        this.#report('error', 'INVALID_PROMPT', contentStart, `The yaml block of ${id} must be "field: value" lines`);
    }
    const raw = this.#source.slice(textStart, part.end);
    const markdown = raw.trim().replaceAll('\r\n', '\n');
    const start = textStart + (raw.length - raw.trimStart().length);
    const place = {
      form: 'markdown',
      start: markdown ? start : textStart,
      end: start + raw.trim().length,
      indent: 0,
    } as const;
    this.#add(id, part.start, values, markdown || undefined, markdown ? place : { ...place, end: textStart });
  }

  /** `node_prompts: { ID: … }`, or the ids themselves as keys. */
  readMapping(start: number, end: number, severity: 'error' | 'warning' = 'error'): void {
    const document = this.#parseYaml(start, end, severity);
    if (!document?.contents) return;
    const { contents } = document;
    const wrapped = isMap(contents) ? contents.get('node_prompts', true) : undefined;
    const nodes = wrapped ?? contents;
    if (!isMap(nodes)) {
      if (wrapped || isMap(contents))
        this.#report('error', 'INVALID_PROMPT', start, 'node_prompts must list "NODE_ID: …" entries');
      return;
    }
    const values = (nodes.toJS(document) ?? {}) as Record<string, unknown>;
    for (const pair of nodes.items as Pair[]) {
      if (!isScalar(pair.key)) continue;
      const key = String(pair.key.value as string | number | boolean);
      const offset = start + (pair.key.range?.[0] ?? 0);
      const value = values[key];
      const place = this.#placeOf(pair, start, nodes.flow === true);
      if (typeof value === 'string') this.#add(key, offset, { prompt: value }, undefined, place);
      else if (isRecord(value) || value === null) this.#add(key, offset, value ?? {}, undefined, place);
      else this.#report('error', 'INVALID_PROMPT', offset, `The prompt of ${key} must be text or "field: value" lines`);
    }
  }

  /** The text of a node's prompt in YAML: the node's own value, or its field for the prompt. */
  #placeOf(node: Pair, start: number, isFlow: boolean): PromptPlace | undefined {
    const isInFlow = isFlow || (isMap(node.value) && node.value.flow === true);
    const fields = isMap(node.value) ? (node.value.items as Pair[]) : [node];
    const field = fields.find(
      ({ key, value }) =>
        isScalar(value) && (!isMap(node.value) || promptFields.has(isScalar(key) ? String(key.value) : '')),
    );
    if (!field || !isScalar(field.key) || !isScalar(field.value)) return undefined;
    const [from = 0, to = 0] = field.value.range ?? [];
    const keyAt = start + (field.key.range?.[0] ?? 0);
    const indent = keyAt - (this.#source.lastIndexOf('\n', keyAt - 1) + 1) + 2;
    return { form: isInFlow ? 'yaml-flow' : 'yaml-block', start: start + from, end: start + to, indent };
  }

  #parseYaml(start: number, end: number, severity: 'error' | 'warning' = 'error'): Document.Parsed | undefined {
    const { document, problems } = readYaml(this.#source.slice(start, end));
    for (const { offset, message } of problems) {
      this.#report(severity, 'INVALID_PROMPT', start + offset, `Not valid YAML: ${message}`);
    }
    return document;
  }

  #add(
    id: string,
    offset: number,
    values: Record<string, unknown>,
    markdown: string | undefined,
    place: PromptPlace | undefined,
  ): void {
    const parsed = fieldsSchema.safeParse(values);
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) {
        this.#report('error', 'INVALID_PROMPT', offset, `${id}: ${path.map(String).join('.')}: ${message}`);
      }
      return;
    }
    for (const field of Object.keys(values)) {
      if (!knownFields.has(field))
        this.#report('warning', 'UNKNOWN_FIELD', offset, `${id}: the field "${field}" is not known`);
    }
    if (this.prompts.has(id)) {
      this.#report('warning', 'DUPLICATE_PROMPT', offset, `${id} has a prompt already; this one is ignored`);
      return;
    }
    const { prompt, policy, node_instructions, tools, tool_hints, examples, requires, exits } = parsed.data;
    const written = (prompt ?? policy ?? node_instructions ?? undefined)?.replace(/\s+$/, '');
    this.prompts.set(id, {
      id,
      prompt: [written, markdown].filter(Boolean).join('\n\n') || undefined,
      tools: tools ?? tool_hints ?? undefined,
      examples: examples?.map(({ user, agent }) => ({ user, agent })),
      requires: this.#requirements(id, offset, requires),
      exits: Object.fromEntries(
        Object.entries(exits ?? {}).map(([to, value]) => [to, this.#requirements(id, offset, value) ?? []]),
      ),
      offset,
      // A prompt in two parts, yaml and markdown, has no one place.
      place: written && markdown ? undefined : place,
    });
  }

  #requirements(id: string, offset: number, value: unknown): Requirement[] | undefined {
    if (value === undefined || value === null) return undefined;
    const requirements = parseRequirements(value);
    if (!requirements) {
      this.#report(
        'error',
        'INVALID_PROMPT',
        offset,
        `${id}: "requires" must name facts, such as user_id or {status: pending}`,
      );
    }
    return requirements;
  }

  #report(severity: 'error' | 'warning', code: string, offset: number, message: string): void {
    this.problems.push({ severity, code, offset, message });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
