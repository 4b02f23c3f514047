import { ToolError } from '../kit/tool-error.ts';
import { nearest } from '../kit/nearest.ts';
import { applyEdits, relabelEdge, relabelNode, type TextEdit } from './flowchart/edit.ts';
import { parseSop, type ParsedSop, type SopParts } from './parse-sop.ts';
import type { PromptPlace } from './node-prompts.ts';

/** One change of an SOP's text. */
export type SopEdit =
  | { readonly node: string; readonly label: string }
  | { readonly node: string; readonly prompt: string }
  | { readonly from: string; readonly to: string; readonly condition?: string | null; readonly label: string | null };

/** Makes the changes where they belong in the text; every other byte stays as it is. */
export function editSop(source: string, edits: readonly SopEdit[]): { source: string; parsed: ParsedSop } {
  let current = source;
  for (const edit of edits) {
    const { parts } = parseSop(current);
    current = applyEdits(current, [textEditOf(parts, edit)]);
  }
  const parsed = parseSop(current);
  const [error] = parsed.errors;
  if (error) {
    const message = `After this change the SOP would not load: line ${error.line}, column ${error.column}: ${error.message}`;
    throw new ToolError('EDIT_BREAKS_SOP', message, { errors: parsed.errors });
  }
  for (const edit of edits) {
    if ('prompt' in edit) checkPrompt(parsed, edit.node, edit.prompt);
  }
  return { source: current, parsed };
}

/** In Markdown a heading inside a prompt would end it. */
function checkPrompt({ sop }: ParsedSop, node: string, prompt: string): void {
  const wanted = prompt.trim().replaceAll('\r\n', '\n');
  if ((sop?.nodes.get(node)?.prompt ?? '') === wanted) return;
  throw new ToolError(
    'CANNOT_EDIT',
    `This prompt of ${node} would not be read back as it is; it may contain no headings above ####`,
  );
}

function textEditOf(parts: SopParts, edit: SopEdit): TextEdit {
  const { flowchart, diagram } = parts;
  if (!flowchart || !diagram) throw new ToolError('NO_FLOWCHART', 'The file has no flowchart to change');
  if ('prompt' in edit) return promptEdit(parts, edit.node, edit.prompt);
  if ('from' in edit) {
    const index = flowchart.edges.findIndex(
      ({ from, to, label = null }) =>
        from === edit.from && to === edit.to && (edit.condition === undefined || label === edit.condition),
    );
    const change = index < 0 ? undefined : relabelEdge(flowchart, index, edit.label);
    if (!change) throw new ToolError('UNKNOWN_EDGE', `There is no such edge from ${edit.from} to ${edit.to}`);
    return shift(change, diagram.start);
  }
  const change = relabelNode(flowchart, edit.node, edit.label);
  if (!change) throw unknownNode(parts, edit.node);
  return shift(change, diagram.start);
}

function shift({ start, end, text }: TextEdit, by: number): TextEdit {
  return { start: start + by, end: end + by, text };
}

function promptEdit(parts: SopParts, node: string, prompt: string): TextEdit {
  const { prompts, procedure, source } = parts;
  if (!procedure?.nodes.has(node)) throw unknownNode(parts, node);
  const known = prompts.find(({ id }) => id === node);
  const newline = source.includes('\r\n') ? '\r\n' : '\n';
  const text = prompt.trim().replace(/\r?\n/g, newline);
  if (!known) return appendPrompt(parts, node, text, newline);
  if (!known.place) {
    throw new ToolError(
      'CANNOT_EDIT',
      `The prompt of ${node} is written in a way that cannot be replaced; edit the file`,
    );
  }
  const { start, end } = known.place;
  return { start, end, text: written(source, known.place, text, newline) };
}

function written(source: string, { form, start, end, indent }: PromptPlace, text: string, newline: string): string {
  if (form === 'yaml-flow') return JSON.stringify(text.replaceAll('\r\n', '\n'));
  if (form === 'yaml-block') {
    const lines = text.split(newline).map((line) => (line === '' ? '' : ' '.repeat(indent) + line));
    // A block scalar takes its last line break with it.
    const ending = source.slice(start, end).endsWith('\n') ? newline : '';
    return `|-${newline}${lines.join(newline)}${ending}`;
  }
  return start === end ? `${newline}${text}${newline}` : text;
}

/** A node without a prompt gets a section of its own behind the others. */
function appendPrompt({ source, outline }: SopParts, node: string, text: string, newline: string): TextEdit {
  const section = outline.promptSections.at(-1);
  if (section && !section.hasParts) {
    throw new ToolError('CANNOT_EDIT', `The prompts of this file are YAML; add one for ${node} in the file`);
  }
  const at = section ? section.end : source.length;
  const before = source.slice(0, at).trimEnd();
  const heading = section ? '' : `## Node Prompts${newline}${newline}`;
  const after = at < source.length ? newline : '';
  return {
    start: before.length,
    end: at,
    text: `${newline}${newline}${heading}### ${node}${newline}${newline}${text}${newline}${after}`,
  };
}

function unknownNode({ procedure }: SopParts, node: string): ToolError {
  const suggestion = nearest(node, procedure?.nodes.keys() ?? []);
  return new ToolError('UNKNOWN_NODE', `There is no node ${node}${suggestion ? `; did you mean ${suggestion}?` : ''}`);
}
