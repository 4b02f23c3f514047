import { isMap, isScalar, type Node as YamlNode } from 'yaml';
import { z } from 'zod';
import { nearest } from '../kit/nearest.ts';
import type { GateMode, McpServer, ModelSettings, Navigation } from './model.ts';
import { readYaml } from './read-yaml.ts';

export interface Frontmatter {
  readonly agent: string | undefined;
  readonly version: string | null;
  readonly entryNode: string | undefined;
  readonly reentryNodes: readonly string[] | undefined;
  readonly navigation: Navigation | undefined;
  readonly gate: GateMode | undefined;
  readonly alwaysAllowed: readonly string[];
  readonly model: ModelSettings | null;
  readonly mcpServers: readonly McpServer[];
  readonly tools: readonly string[] | undefined;
  /** Where a field's value stands in the file, for messages about it. */
  offsetOf(field: string): number;
}

export interface FrontmatterProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly offset: number;
  readonly message: string;
}

export interface FrontmatterBlock {
  readonly yamlStart: number;
  readonly yamlEnd: number;
  /** Where the document goes on. */
  readonly end: number;
}

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const optional = <T extends z.ZodType>(schema: T) => schema.nullish();
const server = z.looseObject({
  name: optional(text),
  url: optional(text),
  command: optional(text),
  args: optional(z.array(text)),
  env: optional(z.record(z.string(), text)),
});
const schema = z.looseObject({
  agent: optional(text),
  version: optional(z.union([text, z.number()])),
  entry_node: optional(text),
  reentry_nodes: optional(z.array(text)),
  navigation: optional(z.enum(['strict', 'spec'])),
  gate: optional(z.enum(['off', 'warn', 'enforce'])),
  always_allowed: optional(z.array(text)),
  model: optional(
    z.looseObject({
      provider: optional(text),
      name: optional(text),
      temperature: optional(z.number()),
      max_tokens: optional(z.number()),
    }),
  ),
  api: optional(z.looseObject({})),
  mcp_servers: optional(z.union([z.array(server), z.record(z.string(), server)])),
  tools: optional(z.array(text)),
  description: optional(text),
});

const knownFields = Object.keys(schema.shape);

/** The block between the `---` lines at the very top, if there is one. */
export function findFrontmatter(source: string): FrontmatterBlock | 'unclosed' | undefined {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(source);
  if (!opening) return undefined;
  const yamlStart = opening[0].length;
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;
  closing.lastIndex = yamlStart;
  const match = closing.exec(source);
  if (!match) return 'unclosed';
  return { yamlStart, yamlEnd: match.index, end: match.index + match[0].length };
}

export function parseFrontmatter(
  source: string,
  block: FrontmatterBlock | undefined,
): { frontmatter: Frontmatter; problems: FrontmatterProblem[] } {
  const problems: FrontmatterProblem[] = [];
  const yamlStart = block?.yamlStart ?? 0;
  const yaml = block ? source.slice(yamlStart, block.yamlEnd) : '';
  const { document, problems: yamlProblems } = readYaml(yaml);
  const report = (severity: 'error' | 'warning', code: string, offset: number, message: string) =>
    problems.push({ severity, code, offset: yamlStart + offset, message });

  for (const { offset, message } of yamlProblems) {
    report('error', 'INVALID_FRONTMATTER', offset, `The frontmatter is not valid YAML: ${message}`);
  }
  const offsetAt = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document?.getIn(path.slice(0, length), true) as YamlNode | undefined;
      if (node?.range) return node.range[0];
    }
    return 0;
  };
  const offsetOf = (field: string) => yamlStart + offsetAt([field]);
  const empty = { frontmatter: { ...emptyFrontmatter, offsetOf }, problems };
  if (!document?.contents) return empty;
  if (!isMap(document.contents)) {
    report('error', 'INVALID_FRONTMATTER', 0, 'The frontmatter must be a list of "field: value" lines');
    return empty;
  }
  const parsed = schema.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      report('error', 'INVALID_FRONTMATTER', offsetAt(path), `${path.map(String).join('.')}: ${message}`);
    }
    return empty;
  }
  for (const field of Object.keys(parsed.data)) {
    if (knownFields.includes(field)) continue;
    const suggestion = nearest(field, knownFields);
    const hint = suggestion ? `; did you mean "${suggestion}"?` : '';
    report('warning', 'UNKNOWN_FIELD', offsetAt([field]), `The frontmatter field "${field}" is not known${hint}`);
  }
  return { frontmatter: { ...fieldsOf(parsed.data, document.get('version', true)), offsetOf }, problems };
}

const emptyFrontmatter: Omit<Frontmatter, 'offsetOf'> = {
  agent: undefined,
  version: null,
  entryNode: undefined,
  reentryNodes: undefined,
  navigation: undefined,
  gate: undefined,
  alwaysAllowed: [],
  model: null,
  mcpServers: [],
  tools: undefined,
};

function fieldsOf(data: z.infer<typeof schema>, version: unknown): Omit<Frontmatter, 'offsetOf'> {
  const { model } = data;
  return {
    agent: data.agent?.trim() || undefined,
    // `1.0` is a number to YAML; what counts is how it was written.
    version: isScalar(version) && version.value !== null ? (version.source ?? null) : null,
    entryNode: data.entry_node?.trim() || undefined,
    reentryNodes: data.reentry_nodes ?? undefined,
    navigation: data.navigation ?? undefined,
    gate: data.gate ?? undefined,
    alwaysAllowed: data.always_allowed ?? [],
    model: model
      ? {
          provider: model.provider ?? null,
          name: model.name ?? null,
          temperature: model.temperature ?? null,
          max_tokens: model.max_tokens ?? null,
        }
      : null,
    mcpServers: serversOf(data.mcp_servers),
    tools: data.tools ?? undefined,
  };
}

/** A list, or a mapping of names as in the configuration of MCP clients. */
function serversOf(listed: z.infer<typeof schema>['mcp_servers']): McpServer[] {
  const servers = Array.isArray(listed)
    ? listed
    : Object.entries(listed ?? {}).map(([name, fields]) => ({ ...fields, name }));
  return servers.map(({ name, url, command, args, env }) => ({
    name: name ?? url ?? command ?? 'server',
    ...(url ? { url } : {}),
    ...(command ? { command } : {}),
    ...(args ? { args } : {}),
    ...(env ? { env } : {}),
  }));
}
