import { createHash } from 'node:crypto';
import { type Flowchart, readFlowchart } from './flowchart/flowchart.ts';
import { findDiagram } from './find-diagram.ts';
import { findFrontmatter, type Frontmatter, parseFrontmatter } from './frontmatter.ts';
import { type Outline, outlineOf } from './markdown.ts';
import { checkPrompts, checkReentry, matchPrompts } from './match-prompts.ts';
import type { Problem, Requirement, Sop, SopEdge, SopNode } from './model.ts';
import { isPromptSection, type NodePrompt, parseNodePrompts } from './node-prompts.ts';
import { LineMap } from './positions.ts';
import { buildProcedure, findEntry, type Procedure } from './procedure.ts';

/** Everything read from one SOP file. `sop` is missing where there are errors. */
export interface ParsedSop {
  readonly sop: Sop | undefined;
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** For tools that look at or change the file itself. */
  readonly parts: SopParts;
}

export interface SopParts {
  readonly source: string;
  readonly lines: LineMap;
  readonly frontmatter: Frontmatter;
  /** Where the diagram's text stands in the file. */
  readonly diagram: { readonly start: number; readonly end: number } | undefined;
  readonly flowchart: Flowchart | undefined;
  readonly procedure: Procedure | undefined;
  readonly prompts: readonly NodePrompt[];
  /** The sections with node prompts; `hasParts` where nodes have headings of their own. */
  readonly outline: { readonly promptSections: readonly { readonly end: number; readonly hasParts: boolean }[] };
}

const mostParts = 5000;

export function hashOf(source: string): string {
  return createHash('sha256').update(source).digest('hex').slice(0, 32);
}

/** Parses and checks an SOP file. `name` stands in for an agent name the file does not give. */
export function parseSop(source: string, name = 'sop'): ParsedSop {
  const lines = new LineMap(source);
  const problems: Problem[] = [];
  const report = (severity: 'error' | 'warning', code: string, offset: number, message: string) =>
    problems.push({ severity, code, message, ...lines.at(offset) });
  const reportAll = (
    items: readonly { severity: 'error' | 'warning'; code: string; offset: number; message: string }[],
    base = 0,
  ) => {
    for (const { severity, code, offset, message } of items) report(severity, code, base + offset, message);
  };

  const block = findFrontmatter(source);
  if (block === 'unclosed') report('error', 'INVALID_FRONTMATTER', 0, 'The frontmatter is never closed with "---"');
  const known = block === 'unclosed' ? undefined : block;
  const { frontmatter, problems: frontmatterProblems } = parseFrontmatter(source, known);
  reportAll(frontmatterProblems);
  const bodyStart = known?.end ?? (source.startsWith('\uFEFF') ? 1 : 0);
  const whole = outlineOf(source, bodyStart);
  const isTooLong = whole.sections.length + whole.fences.length > mostParts;
  const outline = isTooLong ? { sections: [], fences: [] } : whole;
  if (isTooLong)
    report('error', 'TOO_MANY_PARTS', bodyStart, `The file has more than ${mostParts} headings and code blocks`);
  const { prompts: written, problems: promptProblems } = parseNodePrompts(source, outline);
  reportAll(promptProblems);

  const found = findDiagram(source, bodyStart, outline);
  for (const warning of found?.warnings ?? []) report('warning', warning.code, warning.offset, warning.message);
  let flowchart: Flowchart | undefined;
  let procedure: Procedure | undefined;
  let entry: string | undefined;
  if (!found) {
    report(
      'error',
      'NO_FLOWCHART',
      bodyStart,
      'There is no flowchart: put one in a ```mermaid block under "## SOP Flowchart"',
    );
  } else {
    flowchart = readFlowchart(source.slice(found.start, found.end));
    for (const { code, offset, message } of flowchart.problems) report('error', code, found.start + offset, message);
    const built = buildProcedure(flowchart);
    procedure = built.procedure;
    reportAll(built.problems, found.start);
    if (flowchart.problems.length === 0) {
      const entered = findEntry(procedure, frontmatter.entryNode);
      if ('entry' in entered) entry = entered.entry;
      else if (procedure.nodes.size === 0)
        report('error', 'EMPTY_FLOWCHART', found.start, 'The flowchart has no nodes');
      else
        report(
          'error',
          'NO_ENTRY_NODE',
          frontmatter.entryNode === undefined ? found.start : frontmatter.offsetOf('entry_node'),
          entered.error,
        );
    }
  }
  const prompts = procedure ? matchPrompts(written, procedure) : written;
  if (procedure && flowchart?.problems.length === 0) {
    reportAll(checkPrompts(prompts, procedure, frontmatter));
    reportAll(checkReentry(procedure, frontmatter));
  }

  problems.sort((left, right) => left.line - right.line || left.column - right.column);
  const errors = problems.filter((problem) => problem.severity === 'error');
  const warnings = problems.filter((problem) => problem.severity === 'warning');
  const diagram = found && { start: found.start, end: found.end };
  const parts = {
    source,
    lines,
    frontmatter,
    diagram,
    flowchart,
    procedure,
    prompts,
    outline: { promptSections: promptSectionsOf(outline) },
  };
  if (errors.length > 0 || !procedure || entry === undefined || !found) {
    return { sop: undefined, errors, warnings, parts };
  }
  const mermaid = source.slice(found.start, found.end);
  const text = found.bare ? fenced(mermaid) : systemPromptOf(source, bodyStart, outline);
  const sections = found.bare ? ['SOP Flowchart'] : sectionTitles(outline);
  const sop = assemble({ procedure, frontmatter, prompts, entry, base: found.start, lines, name });
  return { sop: { ...sop, hash: hashOf(source), sections, systemPrompt: text, mermaid }, errors, warnings, parts };
}

function assemble({
  procedure,
  frontmatter,
  prompts,
  entry,
  base,
  lines,
  name,
}: {
  procedure: Procedure;
  frontmatter: Frontmatter;
  prompts: readonly NodePrompt[];
  entry: string;
  base: number;
  lines: LineMap;
  name: string;
}): Omit<Sop, 'hash' | 'sections' | 'systemPrompt' | 'mermaid'> {
  const byId = new Map(prompts.map((prompt) => [prompt.id, prompt]));
  const nodes = new Map<string, SopNode>();
  const edges = new Map<string, SopEdge[]>();
  for (const { id, type, description, group, offset } of procedure.nodes.values()) {
    const { prompt, tools, examples, requires, exits } = byId.get(id) ?? {};
    nodes.set(id, {
      id,
      type,
      description,
      ...(group === undefined ? {} : { group }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(tools && tools.length > 0 ? { tools } : {}),
      ...(examples && examples.length > 0 ? { examples } : {}),
      ...(requires && requires.length > 0 ? { requires } : {}),
      position: lines.at(base + offset),
    });
    const outgoing = procedure.edges.get(id) ?? [];
    edges.set(
      id,
      outgoing.map(({ from, to, condition, style, offset: at }) => {
        const guard: readonly Requirement[] = exits?.[to] ?? [];
        return {
          from,
          to,
          condition,
          style,
          ...(guard.length > 0 ? { requires: guard } : {}),
          position: lines.at(base + at),
        };
      }),
    );
  }
  const ids = [...nodes.keys()];
  const isTerminal = (id: string) => edges.get(id)?.length === 0 || (nodes.get(id)?.type === 'stadium' && id !== entry);
  return {
    agent: frontmatter.agent ?? name,
    version: frontmatter.version,
    entry,
    reentry: (frontmatter.reentryNodes ?? ['ROUTE']).filter((id) => nodes.has(id)),
    navigation: frontmatter.navigation,
    gate: frontmatter.gate,
    alwaysAllowed: frontmatter.alwaysAllowed,
    model: frontmatter.model,
    mcpServers: frontmatter.mcpServers,
    tools: frontmatter.tools,
    nodes,
    edges,
    decisionNodes: ids.filter((id) => nodes.get(id)?.type === 'rhombus'),
    terminalNodes: ids.filter(isTerminal),
    nodesWithPrompts: prompts.filter((prompt) => nodes.has(prompt.id)).map((prompt) => prompt.id),
  };
}

/** The document as it is, without frontmatter and node prompts. */
function systemPromptOf(source: string, bodyStart: number, { sections }: Outline): string {
  let text = '';
  let from = bodyStart;
  for (const section of sections.filter(isPromptSection)) {
    if (section.start < from) continue;
    text += source.slice(from, section.start);
    from = section.end;
  }
  return (text + source.slice(from)).trim();
}

function promptSectionsOf({ sections }: Outline): SopParts['outline']['promptSections'] {
  return sections.filter(isPromptSection).map((section) => ({
    end: section.end,
    hasParts: sections.some(
      (part) => part.level > section.level && part.start > section.start && part.start < section.end,
    ),
  }));
}

function sectionTitles({ sections }: Outline): string[] {
  return sections.filter((section) => section.level === 2 && !isPromptSection(section)).map((section) => section.title);
}

function fenced(mermaid: string): string {
  return `\`\`\`mermaid\n${mermaid.trim()}\n\`\`\``;
}
