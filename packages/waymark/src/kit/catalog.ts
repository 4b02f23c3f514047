import { nearest } from './nearest.ts';
import type { Scope } from './scope.ts';
import type { Tool, ToolDescriptor } from './tool.ts';
import type { PromptDefinition, ResourceDefinition, Toolset } from './toolset.ts';

/** Which tools an endpoint serves. Every field narrows, except `tools`, which names tools beyond the core. */
export interface Selection {
  readonly toolsets?: readonly string[] | undefined;
  /** Exactly these tools, whatever their tier. */
  readonly tools?: readonly string[] | undefined;
  readonly excludeTools?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  /** `core` leaves out what a toolset serves only when asked for by name. */
  readonly tier?: 'core' | 'all' | undefined;
  /** Hides what the caller's token does not allow. */
  readonly scopes?: ReadonlySet<Scope> | 'all' | undefined;
}

export interface CatalogEntry {
  readonly toolset: Toolset;
  readonly tool: Tool;
}

/** The tools, resources and prompts of one endpoint, looked up by name and listed from a kept payload. */
export interface Catalog {
  readonly toolsets: readonly Toolset[];
  readonly instructions: string;
  listTools(): readonly ToolDescriptor[];
  find(name: string): CatalogEntry | undefined;
  /** The nearest tool name, for the answer to a typo. */
  suggest(name: string): string | undefined;
  readonly resources: readonly ResourceDefinition[];
  readonly prompts: readonly PromptDefinition[];
}

export function createCatalog(toolsets: readonly Toolset[], selection: Selection = {}): Catalog {
  const chosen = toolsets.filter((toolset) => selection.toolsets?.includes(toolset.name) ?? true);
  const allowed = (item: { readonly scopes: readonly Scope[] }) =>
    selection.scopes === undefined ||
    selection.scopes === 'all' ||
    item.scopes.every((scope) => (selection.scopes as ReadonlySet<Scope>).has(scope));

  let index = new Map<string, CatalogEntry>();
  let descriptors: ToolDescriptor[] = [];
  let snapshot: (readonly Tool[])[] = [];

  function refresh(): void {
    const current = chosen.map((toolset) => toolset.tools());
    if (current.length === snapshot.length && current.every((tools, position) => tools === snapshot[position])) return;
    index = new Map();
    descriptors = [];
    for (const [position, toolset] of chosen.entries()) {
      for (const tool of current[position] ?? []) {
        if (!isSelected(tool, selection) || !allowed(tool)) continue;
        descriptors.push(tool.descriptor);
        for (const name of [tool.name, ...tool.aliases]) if (!index.has(name)) index.set(name, { toolset, tool });
      }
    }
    snapshot = current;
  }

  return {
    toolsets: chosen,
    instructions: chosen.map((toolset) => toolset.instructions.trim()).join('\n\n'),
    listTools() {
      refresh();
      return descriptors;
    },
    find(name) {
      refresh();
      return index.get(name);
    },
    suggest(name) {
      refresh();
      return nearest(name, index.keys());
    },
    resources: chosen.flatMap((toolset) => (toolset.resources ?? []).filter(allowed)),
    prompts: chosen.flatMap((toolset) => (toolset.prompts ?? []).filter(allowed)),
  };
}

function isSelected(tool: Tool, selection: Selection): boolean {
  if (selection.readOnly && !tool.annotations.readOnly) return false;
  if (selection.excludeTools?.includes(tool.name)) return false;
  if (selection.tools) return selection.tools.includes(tool.name);
  return selection.tier !== 'core' || tool.tier === 'core';
}
