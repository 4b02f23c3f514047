import type { Scope, Toolset, User } from '../kit/index.ts';

/** The scopes a tool call needs beyond those granted, so that a client can be told to ask for them. */
export function missingScopes(toolsets: readonly Toolset[], body: unknown, user: User): Scope[] {
  const { scopes } = user;
  const call = body as { method?: unknown; params?: { name?: unknown } } | undefined;
  if (scopes === 'all' || call?.method !== 'tools/call') return [];
  const name = call.params?.name;
  const tool = toolsets.flatMap((toolset) => toolset.tools()).find((candidate) => candidate.name === name);
  return tool && tool.scopes.some((scope) => !scopes.has(scope)) ? [...tool.scopes] : [];
}
