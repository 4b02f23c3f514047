import type { Sop } from './model.ts';

export interface ToolDecision {
  readonly allowed: boolean;
  /** The nodes at which the tool may be used. */
  readonly nodes: readonly string[];
}

/** Whether a tool may be used at a node: where the node lists it, or anywhere if it is always allowed. */
export function decideTool(sop: Sop, node: string | undefined, tool: string): ToolDecision {
  const nodes = nodesListing(sop, tool);
  const allowed = sop.alwaysAllowed.includes(tool) || (node !== undefined && nodes.includes(node));
  return { allowed, nodes };
}

const listings = new WeakMap<Sop, Map<string, string[]>>();

function nodesListing(sop: Sop, tool: string): readonly string[] {
  let byTool = listings.get(sop);
  if (!byTool) {
    byTool = new Map();
    for (const { id, tools } of sop.nodes.values()) {
      for (const name of tools ?? []) byTool.set(name, [...(byTool.get(name) ?? []), id]);
    }
    listings.set(sop, byTool);
  }
  return byTool.get(tool) ?? [];
}
