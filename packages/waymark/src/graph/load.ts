import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { checkReferences } from './check/references.ts';
import { checkStructure } from './check/structure.ts';
import { detectDialect } from './load/dialect.ts';
import { readServers, waymarkServer, waymarkPrefix } from './load/read-servers.ts';
import { readTests } from './load/read-tests.ts';
import { type ReadTool, readTools } from './load/read-tools.ts';
import { isRecord, nameType, Report, Section } from './load/section.ts';
import { type Environment, Variables } from './load/variables.ts';
import { parseYaml } from './load/yaml-source.ts';
import {
  defaultLimits,
  type ExecutionLimits,
  type GraphDocument,
  type GraphServerInfo,
  type GraphTool,
  type NodeList,
  type Problem,
  type ServerDefinition,
} from './model.ts';

export interface LoadOptions {
  /** Shown in messages. */
  readonly file: string;
  /** Where relative paths start; the file's own directory by default. */
  readonly directory?: string;
  /** Where servers without `cwd` run; the process's directory by default. */
  readonly workingDirectory?: string;
  /** Servers of the file given with `-m`; the graph's own win. */
  readonly externalServers?: ReadonlyMap<string, ServerDefinition>;
  /** What `${VAR}` is read from; nothing by default. */
  readonly environment?: Environment;
  /** The text of another graph file that `graphs:` names. Absent: such files are not read. */
  readonly readGraph?: (path: string) => string;
}

export type LoadResult =
  | { readonly ok: true; readonly document: GraphDocument; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const longestExpressionMs = 10_000;

const rootKeys = [
  'version',
  'server',
  'executionLimits',
  'expressions',
  'mcpServers',
  'constants',
  'graphs',
  'tools',
  'tests',
];

/** Reads the text of a graph file. Pure: everything it needs is given, every mistake is in `problems`. */
export function loadGraph(source: string, options: LoadOptions): LoadResult {
  return load(source, options, []);
}

function load(text: string, options: LoadOptions, parents: readonly string[]): LoadResult {
  const source = parseYaml(text);
  const report = new Report(options.file, source);
  for (const { message, position } of source.errors) report.error([], 'invalid-yaml', message, { position });
  if (report.hasErrors) return { ok: false, problems: report.problems };
  if (!isRecord(source.value)) {
    report.error([], 'wrong-type', `A graph file must be a mapping, not ${nameType(source.value)}`);
    return { ok: false, problems: report.problems };
  }
  const root = new Section(report, [], source.value);
  const document = readDocument(text, root, options, parents);
  const problems = report.problems.toSorted(
    (left, right) => left.position.line - right.position.line || left.position.column - right.position.column,
  );
  if (report.hasErrors) return { ok: false, problems };
  const warnings = problems;
  return { ok: true, document: { ...document, warnings }, problems };
}

function readDocument(text: string, root: Section, options: LoadOptions, parents: readonly string[]): GraphDocument {
  const { report } = root;
  const value = Object.fromEntries(root.keys.map((key) => [key, root.raw(key)]));
  const { dialect, dollar } = detectDialect(value);
  root.allow(dialect === 'old' ? [...rootKeys, 'nodes', 'servers'] : rootKeys, 'A graph file');
  root.oneOf('expressions', ['dollar', 'explicit']);

  const directory = options.directory ?? dirname(resolve(options.file));
  const workingDirectory = options.workingDirectory ?? process.cwd();
  const variables = new Variables(options.environment ?? {});
  const serverSection = root.section('mcpServers') ?? (dialect === 'old' ? root.section('servers') : undefined);
  const ownServers = serverSection
    ? readServers(serverSection, { variables, directory, workingDirectory, source: 'graph' })
    : new Map<string, ServerDefinition>();
  const servers = new Map([...(options.externalServers ?? []), ...ownServers]);
  const tools = readTools(root, dollar);
  const graphs = readGraphs(root, options, directory, parents);
  const names = new Set([...servers.keys(), ...(serverSection?.keys ?? [])]);
  for (const tool of tools.values()) {
    checkStructure(tool, { report, servers: names, tools, graphs });
    checkReferences(tool, report, dialect === 'old' ? ['input'] : []);
    addOwnToolsets(tool.body, servers);
  }
  return {
    file: options.file,
    directory,
    dialect,
    version: readVersion(root),
    server: readServerInfo(root),
    limits: readLimits(root),
    servers,
    constants: readConstants(root, variables),
    tools: new Map([...tools].map(([name, tool]) => [name, withoutPath(tool)])),
    tests: readTests(root, tools),
    graphs,
    hash: createHash('sha256').update(text).digest('hex'),
    source: text,
    warnings: [],
    secrets: [
      ...variables.secrets,
      ...[...servers.values()].flatMap((server) => server.secrets),
      ...[...graphs.values()].flatMap((graph) => graph.secrets),
    ],
  };
}

function withoutPath({ path: _path, ...tool }: ReadTool): GraphTool {
  return tool;
}

function readVersion(root: Section): string {
  return root.requiredString('version', 'A graph file') ?? '';
}

function readServerInfo(root: Section): GraphServerInfo {
  const section = root.section('server');
  if (!section) {
    if (!root.has('server'))
      root.error('server', 'missing-key', 'A graph file needs "server" with "name" and "version"');
    return { name: '', version: '', title: '' };
  }
  section.allow(['name', 'version', 'title', 'instructions', 'description'], '"server"');
  const name = section.requiredString('name', '"server"') ?? '';
  const version = section.requiredString('version', '"server"') ?? '';
  const instructions = section.string('instructions');
  section.string('description');
  return {
    name,
    version,
    title: section.string('title') ?? name,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function readLimits(root: Section): ExecutionLimits {
  const section = root.section('executionLimits');
  if (!section) return defaultLimits;
  const keys = Object.keys(defaultLimits) as (keyof ExecutionLimits)[];
  section.allow(keys, '"executionLimits"');
  const limits = Object.fromEntries(keys.map((key) => [key, section.integer(key, 1) ?? defaultLimits[key]]));
  if ((limits['expressionTimeoutMs'] ?? 0) > longestExpressionMs) {
    const message = `"expressionTimeoutMs" must be at most ${longestExpressionMs}: nothing else runs meanwhile`;
    section.error('expressionTimeoutMs', 'wrong-value', message);
  }
  return limits as unknown as ExecutionLimits;
}

function readConstants(root: Section, variables: Variables): Readonly<Record<string, unknown>> {
  const constants = root.record('constants') ?? {};
  const missing: string[] = [];
  const filled = variables.fillDeep(constants, missing) as Record<string, unknown>;
  if (missing.length > 0) {
    root.warn('constants', 'unset-variable', `"constants" needs ${missing.join(', ')} in the environment`);
  }
  return filled;
}

function readGraphs(
  root: Section,
  options: LoadOptions,
  directory: string,
  parents: readonly string[],
): Map<string, GraphDocument> {
  const graphs = new Map<string, GraphDocument>();
  const section = root.section('graphs');
  for (const name of section?.keys ?? []) {
    const given = section?.string(name);
    if (!section || given === undefined) continue;
    const path = resolve(directory, given);
    const here = [...parents, resolve(options.file)];
    if (here.includes(path)) {
      section.error(name, 'graph-cycle', `"${given}" leads back to this file`);
      continue;
    }
    try {
      if (!options.readGraph) throw new Error('other graph files cannot be read here');
      const { directory: _own, ...rest } = options;
      const result = load(options.readGraph(path), { ...rest, file: path }, here);
      if (result.ok) graphs.set(name, result.document);
      else root.report.problems.push(...result.problems);
    } catch (error) {
      section.error(name, 'missing-file', `"${given}" could not be read: ${(error as Error).message}`);
    }
  }
  return graphs;
}

/** `server: waymark:tasks` needs no definition; the engine finds it like any other. */
function addOwnToolsets(body: NodeList, servers: Map<string, ServerDefinition>): void {
  for (const node of body.nodes.values()) {
    if (node.type === 'foreach') addOwnToolsets(node.body, servers);
    if (node.type !== 'mcp' || servers.has(node.server) || !node.server.startsWith(waymarkPrefix)) continue;
    servers.set(node.server, waymarkServer(node.server, 'graph'));
  }
}
