import { nearest } from '../kit/nearest.ts';
import type { Frontmatter } from './frontmatter.ts';
import type { NodePrompt } from './node-prompts.ts';
import type { Procedure } from './procedure.ts';

/** Tools every agent has anyway; an SOP need not declare them. */
export const builtInTools: ReadonlySet<string> = new Set([
  'load_graph',
  'todo',
  'goto_node',
  'get_state',
  'record_fact',
  'todo_tasks',
  'get_todos',
]);

interface Finding {
  readonly severity: 'warning';
  readonly code: string;
  readonly offset: number;
  readonly message: string;
}

/** `### AUTH: Authenticate` is meant for AUTH. */
export function matchPrompts(prompts: readonly NodePrompt[], { nodes }: Procedure): NodePrompt[] {
  const taken = new Set(prompts.map(({ id }) => id));
  return prompts.map((prompt) => {
    const [first = ''] = /^[^\s:(]+/.exec(prompt.id) ?? [];
    const isMeant = !nodes.has(prompt.id) && nodes.has(first) && !taken.has(first);
    return isMeant ? { ...prompt, id: first } : prompt;
  });
}

/** Prompts, tools and exits that do not fit the flowchart or the frontmatter. */
export function checkPrompts(
  prompts: readonly NodePrompt[],
  { nodes, edges }: Procedure,
  frontmatter: Frontmatter,
): Finding[] {
  const findings: Finding[] = [];
  const warn = (code: string, offset: number, message: string) =>
    findings.push({ severity: 'warning', code, offset, message });
  for (const { id, tools, exits, offset } of prompts) {
    if (!nodes.has(id)) {
      const suggestion = nearest(id, nodes.keys());
      const hint = suggestion ? `; did you mean ${suggestion}?` : '';
      warn('PROMPT_WITHOUT_NODE', offset, `There is a prompt for ${id}, but no such node in the flowchart${hint}`);
      continue;
    }
    for (const target of Object.keys(exits)) {
      if (edges.get(id)?.some((edge) => edge.to === target)) continue;
      warn('UNKNOWN_EXIT', offset, `${id} has requirements for an exit to ${target}, but no edge leads there`);
    }
    for (const tool of tools ?? []) {
      if (!frontmatter.tools || frontmatter.tools.includes(tool) || builtInTools.has(tool)) continue;
      const suggestion = nearest(tool, frontmatter.tools);
      const hint = suggestion ? `; did you mean ${suggestion}?` : '';
      warn('UNDECLARED_TOOL', offset, `${id} uses the tool ${tool}, which the frontmatter does not list${hint}`);
    }
  }
  return findings;
}

export function checkReentry({ nodes }: Procedure, frontmatter: Frontmatter): Finding[] {
  const unknown = (frontmatter.reentryNodes ?? []).filter((id) => !nodes.has(id));
  return unknown.map((id) => {
    const suggestion = nearest(id, nodes.keys());
    const message = `The re-entry node ${id} is not in the flowchart${suggestion ? `; did you mean ${suggestion}?` : ''}`;
    return {
      severity: 'warning',
      code: 'UNKNOWN_REENTRY_NODE',
      offset: frontmatter.offsetOf('reentry_nodes'),
      message,
    };
  });
}
