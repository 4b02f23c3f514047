import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type Logger, nearest, silentLogger, ToolError } from '../kit/index.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { loadGraph, type LoadOptions, type LoadResult } from './load.ts';
import { formatProblem } from './load/yaml-source.ts';
import { loadGraphFile } from './load-file.ts';
import type { GraphDocument, Problem, ServerDefinition } from './model.ts';
import { watchFiles } from './watch-files.ts';

/** A graph file that is served: the last version of it that was right, and what is wrong with it now. */
export interface GraphEntry {
  /** Unique in the library; in addresses and lists. */
  readonly name: string;
  readonly file: string;
  /** Changes with every change of the file's text. */
  readonly revision: string;
  /** Absent while no version of the file was ever right. */
  readonly document: GraphDocument | undefined;
  /** Of the text as it stands. With errors among them, `document` is older than the file. */
  readonly problems: readonly Problem[];
}

export interface GraphLibraryOptions {
  /** Files the operator named. */
  readonly files: readonly string[];
  /** The file of `-m`, for all of them. */
  readonly mcpFile?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory?: string;
  /** Follow changes of the files; on by default. */
  readonly watch?: boolean;
  /** Whether text that comes through `put` may name commands the operator's own files do not. */
  readonly allowExec?: boolean;
  readonly log?: Logger;
}

/** The graph files of a process, kept up to date with the disk. */
export interface GraphLibrary {
  list(): readonly GraphEntry[];
  /** @throws ToolError GRAPH_NOT_FOUND */
  get(name: string): GraphEntry;
  /** The file's text as it is now. */
  text(name: string): Promise<string>;
  /** The problems a text would have as this graph, and the document if it has no errors. */
  check(name: string, text: string): LoadResult;
  /** A text as this graph, to be run: like `check`, but what the operator did not allow is refused. */
  load(name: string, text: string): LoadResult;
  /**
   * Checks the text, then replaces the file. `revision` is the one the text was made from; another
   * one on disk means somebody else was faster.
   * @throws ToolError INVALID_GRAPH, CONFLICT, COMMAND_NOT_ALLOWED
   */
  put(name: string, text: string, revision?: string): Promise<GraphEntry>;
  /** Every server that the graphs name now. */
  servers(): readonly ServerDefinition[];
  /** Whether the operator's own files name a server at this address. */
  trusts(url: URL): boolean;
  /** Reads the files again. */
  reload(): Promise<void>;
  onChange(listener: (entry: GraphEntry) => void): () => void;
  close(): void;
}

export async function openGraphLibrary(options: GraphLibraryOptions): Promise<GraphLibrary> {
  const { log = silentLogger, environment = process.env } = options;
  const entries = new Map<string, GraphEntry>();
  const listeners = new Set<(entry: GraphEntry) => void>();
  /** Commands that stand in what the operator wrote; text from elsewhere may use these and no others. */
  const knownCommands = new Set<string>();
  const knownOrigins = new Set<string>();
  /** Servers that came with `put`; standing in the file afterwards does not make them the operator's. */
  const foreign = new Set<string>();
  let watcher: { close(): void } | undefined;
  let closed = false;
  const loadOptions = {
    environment,
    ...(options.mcpFile === undefined ? {} : { mcpFile: options.mcpFile }),
    ...(options.workingDirectory === undefined ? {} : { workingDirectory: options.workingDirectory }),
  };

  async function readEntry(file: string, before: GraphEntry | undefined): Promise<GraphEntry> {
    const text = await readFile(file, 'utf8');
    const result = loadGraphFile(file, loadOptions);
    const document = result.ok ? result.document : before?.document;
    const name = before?.name ?? freeName(document?.server.name ?? basename(file).replace(/\.[^.]*$/, ''), entries);
    return { name, file, revision: revisionOf(text), document, problems: result.problems };
  }

  function keep(entry: GraphEntry): void {
    const before = entries.get(entry.name);
    entries.set(entry.name, entry);
    if (before?.revision === entry.revision && before.document?.hash === entry.document?.hash) return;
    const errors = entry.problems.filter(({ severity }) => severity === 'error').map(formatProblem);
    if (errors.length > 0) {
      const consequence = entry.document ? 'what it said before stays served' : 'it is not served yet';
      log.warn(`${entry.file} has mistakes; ${consequence}`, { problems: errors });
    } else if (before) {
      log.info(`${entry.file} was read again`, { tools: [...(entry.document?.tools.keys() ?? [])] });
    }
    if (before) for (const listener of listeners) listener(entry);
  }

  async function reload(): Promise<void> {
    for (const entry of entries.values()) {
      try {
        const next = await readEntry(entry.file, entry);
        trust(next);
        keep(next);
      } catch (error) {
        log.warn(`${entry.file} could not be read; what it said before stays served`, { error });
      }
    }
    follow();
  }

  function trust({ document }: GraphEntry): void {
    for (const server of document ? serversOf(document) : []) {
      if (foreign.has(server.key)) continue;
      if (server.type === 'stdio') knownCommands.add(server.key);
      else if ('url' in server && URL.canParse(server.url)) knownOrigins.add(new URL(server.url).origin);
    }
  }

  function follow(): void {
    watcher?.close();
    if (options.watch === false || closed) return;
    const files = [...entries.values()].flatMap(({ file, document }) => [
      file,
      ...(document ? filesBehind(document) : []),
    ]);
    const all = options.mcpFile === undefined ? files : [...files, resolve(options.mcpFile)];
    watcher = watchFiles([...new Set(all)], () => void reload());
  }

  function get(name: string): GraphEntry {
    const entry = entries.get(name) ?? [...entries.values()].find(({ document }) => document?.server.name === name);
    if (entry) return entry;
    const suggestion = nearest(name, entries.keys());
    const hint = suggestion ? `; did you mean "${suggestion}"?` : '';
    throw new ToolError('GRAPH_NOT_FOUND', `There is no graph "${name}"${hint}`, { graphs: [...entries.keys()] });
  }

  function check(name: string, text: string): LoadResult {
    const { file, document } = get(name);
    return loadGraph(text, loadOptionsFor(file, document));
  }

  function loadOptionsFor(file: string, document: GraphDocument | undefined): LoadOptions {
    const { mcpFile: _read, ...rest } = loadOptions;
    const external = [...(document?.servers ?? [])].filter(([, server]) => server.source === 'external');
    const others = new Map([...(document?.graphs.values() ?? [])].map((graph) => [graph.file, graph.source]));
    return {
      ...rest,
      file,
      externalServers: new Map(external),
      // Only files that the graph already refers to: text from elsewhere must not make us read others.
      readGraph(path) {
        const source = others.get(path);
        if (source === undefined) throw new Error('only files that are already in use can be named here');
        return source;
      },
    };
  }

  function load(name: string, text: string): LoadResult {
    const result = check(name, text);
    if (result.ok && !options.allowExec) refuseNewCommands(result.document, knownCommands);
    return result;
  }

  async function put(name: string, text: string, revision: string | undefined): Promise<GraphEntry> {
    const entry = get(name);
    const result = load(name, text);
    if (!result.ok) {
      const errors = result.problems.filter(({ severity }) => severity === 'error');
      throw new ToolError('INVALID_GRAPH', `The graph has mistakes: ${errors.map(describeProblem).join('; ')}`, {
        problems: result.problems.map(showProblem),
      });
    }
    const current = revisionOf(await readFile(entry.file, 'utf8'));
    if (revision !== undefined && revision !== current) {
      const message = `"${name}" was changed by somebody else; read it again and repeat the change`;
      throw new ToolError('CONFLICT', message, { revision: current });
    }
    const before = new Set((entry.document ? serversOf(entry.document) : []).map(({ key }) => key));
    for (const { key } of serversOf(result.document)) if (!before.has(key) && !knownCommands.has(key)) foreign.add(key);
    await writeFileAtomically(entry.file, text);
    const next = { ...entry, revision: revisionOf(text), document: result.document, problems: result.problems };
    keep(next);
    follow();
    return next;
  }

  for (const file of options.files) {
    const path = await realpath(file);
    if ([...entries.values()].some((entry) => entry.file === path)) continue;
    const entry = await readEntry(path, undefined);
    trust(entry);
    keep(entry);
  }
  follow();

  return {
    list: () => [...entries.values()],
    get,
    text: (name) => readFile(get(name).file, 'utf8'),
    check,
    load,
    put,
    servers: () => [...entries.values()].flatMap(({ document }) => (document ? serversOf(document) : [])),
    trusts: ({ origin }) => options.allowExec === true || knownOrigins.has(origin),
    reload,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      watcher?.close();
      listeners.clear();
    },
  };
}

/** A problem as clients see it: without where the file lies on this machine. */
export function showProblem({ file: _file, position, ...problem }: Problem) {
  return { ...problem, ...position };
}

/** `line:column message`, for texts whose file the reader knows. */
export function describeProblem({ position, message }: Problem): string {
  return `${position.line}:${position.column} ${message}`;
}

function revisionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** A name that can stand in an address as it is. */
function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  const base = wanted.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^[-.]+|-+$/g, '') || 'graph';
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(name)) return name;
  }
}

function filesBehind(document: GraphDocument): string[] {
  return [...document.graphs.values()].flatMap((graph) => [resolve(graph.file), ...filesBehind(graph)]);
}

function serversOf(document: GraphDocument): ServerDefinition[] {
  return [...document.servers.values(), ...[...document.graphs.values()].flatMap(serversOf)];
}

function refuseNewCommands(document: GraphDocument, known: ReadonlySet<string>): void {
  const added = serversOf(document).filter(({ type, key }) => type === 'stdio' && !known.has(key));
  if (added.length === 0) return;
  const names = added.map(({ name }) => `"${name}"`).join(', ');
  throw new ToolError(
    'COMMAND_NOT_ALLOWED',
    `The server ${names} would start a command that the operator did not write. ` +
      'Edit the file itself, or start with --allow-exec.',
    { servers: added.map(({ name }) => name) },
  );
}
