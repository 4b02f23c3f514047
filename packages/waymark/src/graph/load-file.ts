import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadGraph, type LoadOptions, type LoadResult } from './load.ts';
import { readServers } from './load/read-servers.ts';
import { isRecord, Report, Section } from './load/section.ts';
import { type Environment, Variables } from './load/variables.ts';
import { formatProblem, parseYaml } from './load/yaml-source.ts';
import type { GraphDocument, Problem, ServerDefinition } from './model.ts';

export interface LoadFileOptions extends Pick<LoadOptions, 'workingDirectory' | 'environment' | 'externalServers'> {
  /** The file of `-m`: `{"mcpServers": {…}}`. */
  readonly mcpFile?: string;
}

/** A file that cannot be used, with everything that is wrong in it. */
export class GraphFileError extends Error {
  override readonly name = 'GraphFileError';
  readonly problems: readonly Problem[];

  constructor(message: string, problems: readonly Problem[] = []) {
    super(message);
    this.problems = problems;
  }
}

/** Reads a graph file and what it refers to. @throws GraphFileError when a file is missing. */
export function loadGraphFile(file: string, options: LoadFileOptions = {}): LoadResult {
  const { mcpFile, environment = process.env, ...rest } = options;
  const external =
    mcpFile === undefined ? rest.externalServers : loadMcpFile(mcpFile, environment, rest.workingDirectory);
  return loadGraph(readText(file, 'Graph file'), {
    ...rest,
    environment,
    file,
    readGraph: (path) => readText(path, 'Graph file'),
    ...(external ? { externalServers: external } : {}),
  });
}

/** The document of a file. @throws GraphFileError with every problem. */
export function openGraphFile(file: string, options: LoadFileOptions = {}): GraphDocument {
  const result = loadGraphFile(file, options);
  if (result.ok) return result.document;
  throw problemsError('Graph validation failed', result.problems);
}

/** The servers of an `-m` file; undefined when it names none. @throws GraphFileError */
export function loadMcpFile(
  file: string,
  environment: Environment,
  workingDirectory = process.cwd(),
): Map<string, ServerDefinition> | undefined {
  return readMcpText(readText(file, 'MCP file'), file, environment, workingDirectory);
}

/** Servers given as data, in the form `mcpServers` has. @throws GraphFileError */
export function readServerRecord(
  servers: Readonly<Record<string, unknown>>,
  file: string,
  environment: Environment,
): Map<string, ServerDefinition> | undefined {
  return readMcpText(JSON.stringify({ mcpServers: servers }), file, environment, process.cwd());
}

function readMcpText(
  text: string,
  file: string,
  environment: Environment,
  workingDirectory: string,
): Map<string, ServerDefinition> | undefined {
  const source = parseYaml(text);
  const report = new Report(file, source);
  for (const { message, position } of source.errors) report.error([], 'invalid-json', message, { position });
  const root = source.value === undefined ? undefined : Section.read(report, [], source.value, 'An MCP file');
  const section = root?.section('mcpServers');
  const servers =
    section &&
    readServers(section, {
      variables: new Variables(environment),
      directory: dirname(resolve(file)),
      workingDirectory,
      source: 'external',
    });
  if (report.hasErrors) throw problemsError('MCP file is not valid', report.problems);
  return servers && servers.size > 0 ? servers : undefined;
}

function problemsError(lead: string, problems: readonly Problem[]): GraphFileError {
  const errors = problems.filter((problem) => problem.severity === 'error');
  return new GraphFileError(`${lead}: ${errors.map(formatProblem).join(', ')}`, problems);
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = isRecord(error) || error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
    if (code === 'ENOENT') throw new GraphFileError(`${what} not found: ${path}`);
    throw new GraphFileError(`${what} ${path} cannot be read (${code ?? 'unknown reason'})`);
  }
}
