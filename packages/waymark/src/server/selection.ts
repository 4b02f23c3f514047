import type { Selection } from '../kit/index.ts';

/** What the operator allows; a request may narrow it further, never widen it. */
export function narrow(operator: Selection, request: Selection): Selection {
  return {
    toolsets: intersect(operator.toolsets, request.toolsets),
    tools: intersect(operator.tools, request.tools),
    excludeTools: [...(operator.excludeTools ?? []), ...(request.excludeTools ?? [])],
    readOnly: operator.readOnly === true || request.readOnly === true,
    tier: request.tier ?? operator.tier,
    scopes: request.scopes ?? operator.scopes,
  };
}

function intersect(left: readonly string[] | undefined, right: readonly string[] | undefined) {
  return left && right ? left.filter((name) => right.includes(name)) : (left ?? right);
}

/** `X-MCP-Toolsets`, `X-MCP-Tools`, `X-MCP-Exclude-Tools` and `X-MCP-Readonly` of one request. */
export function selectionOfHeaders(headers: Headers): Selection {
  return {
    toolsets: listOf(headers.get('x-mcp-toolsets')),
    tools: listOf(headers.get('x-mcp-tools')),
    excludeTools: listOf(headers.get('x-mcp-exclude-tools')),
    readOnly: isYes(headers.get('x-mcp-readonly')),
  };
}

/** The twins of the flags in the environment. */
export function selectionOfEnvironment(environment: NodeJS.ProcessEnv): Selection {
  return {
    toolsets: listOf(environment['WAYMARK_TOOLSETS']),
    tools: listOf(environment['WAYMARK_TOOLS']),
    excludeTools: listOf(environment['WAYMARK_EXCLUDE_TOOLS']),
    readOnly: isYes(environment['WAYMARK_READ_ONLY']),
  };
}

/** `a,b` as a list; nothing, `all` and the empty string select everything. */
export function listOf(text: string | null | undefined): string[] | undefined {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return names.length === 0 || names.includes('all') ? undefined : names;
}

function isYes(text: string | null | undefined): boolean {
  return /^(1|true|yes|on)$/i.test(text ?? '');
}

export function selectionKey(selection: Selection): string {
  const { toolsets, tools, excludeTools, readOnly, tier, scopes } = selection;
  const granted = scopes === undefined || scopes === 'all' ? 'all' : [...scopes].toSorted();
  return JSON.stringify([toolsets, tools, excludeTools, readOnly, tier, granted]);
}
