import { nearest, ToolError } from '../../kit/index.ts';
import { CannotEditError, editYaml } from '../edit/edit-yaml.ts';
import { describeProblem, type GraphEntry, type GraphLibrary } from '../library.ts';
import { parseYaml } from '../load/yaml-source.ts';
import type { GraphDocument } from '../model.ts';

/** A tool as it stands in the YAML. */
export type RawTool = Readonly<Record<string, unknown>> & { readonly name: string };

interface RawFile {
  readonly tools?: readonly RawTool[];
}

/** Reads and changes the tools of one graph file; a change is checked as a whole before anything is written. */
export class GraphFile {
  readonly #library: GraphLibrary;
  readonly #name: string;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(library: GraphLibrary, name: string) {
    this.#library = library;
    this.#name = name;
  }

  get document(): GraphDocument {
    const { document } = this.#usable();
    return document;
  }

  tools(): readonly RawTool[] {
    return this.#raw().tools ?? [];
  }

  /** @throws ToolError TOOL_NOT_FOUND */
  tool(name: string): RawTool {
    const found = this.tools().find((tool) => tool.name === name);
    if (!found) throw this.#notFound(name);
    return found;
  }

  add(tool: RawTool): Promise<void> {
    return this.#change((tools) => {
      if (tools.some(({ name }) => name === tool.name)) {
        throw new ToolError('TOOL_EXISTS', `Tool with name "${tool.name}" already exists; use updateGraphTool`);
      }
      return [...tools, tool];
    });
  }

  update(name: string, tool: RawTool): Promise<void> {
    return this.#change((tools) => {
      if (!tools.some((known) => known.name === name)) throw this.#notFound(name);
      if (tool.name !== name && tools.some((known) => known.name === tool.name)) {
        throw new ToolError('TOOL_EXISTS', `Tool with name "${tool.name}" already exists`);
      }
      return tools.map((known) => (known.name === name ? tool : known));
    });
  }

  remove(name: string): Promise<void> {
    return this.#change((tools) => {
      if (!tools.some((known) => known.name === name)) throw this.#notFound(name);
      return tools.filter((known) => known.name !== name);
    });
  }

  /** The file as it would be with a tool that is not in it. @throws ToolError INVALID_GRAPH */
  documentWith(tool: RawTool): GraphDocument {
    const others = this.tools().filter(({ name }) => name !== tool.name);
    const result = this.#library.load(this.#name, this.#edited([...others, tool]));
    if (result.ok) return result.document;
    const errors = result.problems.filter(({ severity }) => severity === 'error');
    throw new ToolError('INVALID_GRAPH', `Tool validation failed: ${errors.map(({ message }) => message).join('; ')}`, {
      problems: errors.map(({ code, message, path, node }) => ({ code, message, path, ...(node ? { node } : {}) })),
    });
  }

  /** One change after the other: each starts from what the one before wrote. */
  #change(how: (tools: readonly RawTool[]) => readonly RawTool[]): Promise<void> {
    const change = this.#changing.then(async () => {
      const { revision } = this.#usable();
      await this.#library.put(this.#name, this.#edited(how(this.tools())), revision);
    });
    this.#changing = change.catch(() => {});
    return change;
  }

  #edited(tools: readonly RawTool[]): string {
    try {
      return editYaml(this.document.source, { ...this.#raw(), tools });
    } catch (error) {
      if (!(error instanceof CannotEditError)) throw error;
      throw new ToolError('CANNOT_EDIT', `${error.message}; edit the file by hand`);
    }
  }

  #raw(): RawFile {
    return parseYaml(this.document.source).value as RawFile;
  }

  #usable(): GraphEntry & { document: GraphDocument } {
    const entry = this.#library.get(this.#name);
    const errors = entry.problems.filter(({ severity }) => severity === 'error');
    if (entry.document && errors.length === 0) return { ...entry, document: entry.document };
    throw new ToolError(
      'BROKEN_FILE',
      `The graph file has mistakes; correct them first: ${errors.map(describeProblem).join('; ')}`,
    );
  }

  #notFound(name: string): ToolError {
    const names = this.tools().map((tool) => tool.name);
    const suggestion = nearest(name, names);
    const hint = suggestion ? `; did you mean "${suggestion}"?` : '';
    return new ToolError('TOOL_NOT_FOUND', `Tool "${name}" not found${hint}`, { tools: names });
  }
}
