import { nearest } from '../../kit/nearest.ts';
import type { GraphDocument, GraphTool, Problem } from '../../graph/model.ts';
import { CliError } from '../cli-error.ts';

export interface OpenFlags {
  readonly mcp?: string;
}

/** The document of a graph file; what is wrong with it is told line by line. */
export async function openGraph(file: string, { mcp }: OpenFlags): Promise<GraphDocument> {
  const { loadGraphFile } = await import('../../graph/load-file.ts');
  const { formatProblem } = await import('../../graph/load/yaml-source.ts');
  const result = asCliError(() => loadGraphFile(file, mcp === undefined ? {} : { mcpFile: mcp }));
  if (result.ok) return result.document;
  const errors = result.problems.filter((problem) => problem.severity === 'error').map(formatProblem);
  throw new CliError(`${file} cannot be used:\n${errors.join('\n')}`, 1);
}

/** A missing or unreadable file is a mistake in the command; broken contents are not. */
export function asCliError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { name, message, problems } = error as Error & { problems?: readonly Problem[] };
    if (name !== 'GraphFileError') throw error;
    throw new CliError(message, problems && problems.length > 0 ? 1 : 2);
  }
}

/** The tool that was named, or the only one there is. */
export function chooseTool(document: GraphDocument, name: string | undefined): GraphTool {
  const names = [...document.tools.keys()];
  if (name === undefined) {
    const [only] = document.tools.values();
    if (only && names.length === 1) return only;
    throw new CliError(`Say which tool: ${names.join(', ') || `there is none in ${document.file}`}`, 2);
  }
  const tool = document.tools.get(name);
  if (tool) return tool;
  const suggestion = nearest(name, names);
  const hint = suggestion ? ` Did you mean "${suggestion}"?` : '';
  throw new CliError(
    `There is no tool "${name}" in ${document.file}.${hint} There are: ${names.join(', ') || 'none'}`,
    2,
  );
}
