import { randomUUID } from 'node:crypto';
import { open, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Roots, ToolError } from '../kit/index.ts';
import { edgesAnswer, graphAnswer, nodeAnswer, problemAnswer } from './answers.ts';
import { type ConversationRecord, currentWalk, replayRecords } from './conversation.ts';
import type { ConversationLog } from './conversation-log.ts';
import { CoverageCounter } from './coverage.ts';
import { editSop, type SopEdit } from './edit-sop.ts';
import type { Library } from './library.ts';
import { lintSop } from './lint.ts';
import type { Sop } from './model.ts';
import { hashOf, parseSop } from './parse-sop.ts';
import { replayConversation } from './replay.ts';
import { summarise } from './todos.ts';

const deepest = 5;
const mostFiles = 2000;
const headBytes = 64 * 1024;

/** Looking at procedures and conversations, and changing procedures: for people, not for agents. */
export class SopReview {
  readonly #roots: Roots;
  readonly #log: ConversationLog;
  readonly #library: Library;

  constructor(roots: Roots, log: ConversationLog, library: Library) {
    this.#roots = roots;
    this.#log = log;
    this.#library = library;
  }

  /** The procedures the operator named, and Markdown files below the roots that have a mermaid block. */
  async files(): Promise<{ file: string; modified_at: string }[]> {
    const found: { file: string; modified_at: string }[] = [];
    const visit = async (directory: string, depth: number): Promise<void> => {
      const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
      for (const entry of entries.toSorted((left, right) => left.name.localeCompare(right.name))) {
        if (found.length >= mostFiles || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
        const path = join(directory, entry.name);
        if (entry.isDirectory() && depth < deepest) await visit(path, depth + 1);
        else if (entry.isFile() && entry.name.endsWith('.md') && (await hasDiagram(path))) {
          const { mtime } = await stat(path);
          found.push({ file: this.#roots.display(path), modified_at: mtime.toISOString() });
        }
      }
    };
    for (const root of this.#roots.directories) await visit(root, 0);
    const below = new Set(found.map(({ file }) => file));
    const named = (await this.#library.namedFiles()).filter(({ shown }) => !below.has(shown));
    return [...named.map(({ agent, modifiedAt }) => ({ file: agent, modified_at: modifiedAt })), ...found];
  }

  /** A file with everything there is to show of it, also when it has errors. */
  async read(file: string, signal: AbortSignal) {
    const { text, name, shown } = await this.#library.read(file, signal);
    const parsed = parseSop(text, name);
    const problems = lintSop(parsed).map((problem) => ({ severity: problem.severity, ...problemAnswer(problem) }));
    const shared = { file: shown, content_hash: hashOf(text), source: text, problems };
    return parsed.sop ? { ...shared, ...drawn(parsed.sop) } : shared;
  }

  check(source: string) {
    return lintSop(parseSop(source)).map((problem) => ({ severity: problem.severity, ...problemAnswer(problem) }));
  }

  /** Writes the changes, unless the file is no longer the one they were meant for. */
  async edit(file: string, contentHash: string, edits: readonly SopEdit[], signal: AbortSignal) {
    const { text, watch } = await this.#library.read(file, signal);
    const path = watch && (await this.#roots.resolve(watch.path).catch(() => undefined));
    if (path === undefined) {
      throw new ToolError('CANNOT_EDIT', `"${file}" lies outside the directories this server may change`);
    }
    if (hashOf(text) !== contentHash) {
      throw new ToolError('CONFLICT', `"${file}" has changed since it was read; read it again`);
    }
    const { source } = editSop(text, edits);
    const draft = `${path}.${randomUUID()}.tmp`;
    await writeFile(draft, source, { mode: (await stat(path)).mode });
    await rename(draft, path);
    return this.read(file, signal);
  }

  async conversations(user: string, limit: number) {
    const entries = await this.#log.list(user);
    const rows = entries.slice(0, limit).map(async ({ id, startedAt, lastUsedAt }) => {
      const records = (await this.#log.read(id)) ?? [];
      const conversation = replayRecords(id, records);
      const walk = conversation && currentWalk(conversation);
      return {
        conversation_id: id,
        agent: walk?.agent ?? null,
        sop_file: walk?.file ?? null,
        current_node: walk?.path.at(-1) ?? null,
        complete: walk?.complete ?? false,
        moves: records.filter(({ type }) => type === 'moved').length,
        refusals: records.filter(({ type }) => type === 'refused').length,
        todos: summarise(conversation?.todos ?? []),
        started_at: startedAt,
        last_used_at: lastUsedAt,
      };
    });
    return { total: entries.length, conversations: await Promise.all(rows) };
  }

  /** One conversation: where it stands, what happened, and the procedure it is bound to. */
  async conversation(user: string, id: string) {
    const records = await this.history(user, id);
    const conversation = replayRecords(id, records);
    const walk = conversation && currentWalk(conversation);
    const sop = walk && (await this.#library.byHash(walk.hash, walk.agent));
    return {
      conversation_id: id,
      agent: walk?.agent ?? null,
      sop_file: walk?.file ?? null,
      content_hash: walk?.hash ?? null,
      path: walk?.path ?? [],
      complete: walk?.complete ?? false,
      unlocked: [...(walk?.unlocked ?? [])],
      todos: conversation?.todos ?? [],
      facts: Object.fromEntries(conversation?.facts ?? []),
      records,
      ...(sop ? { procedure: drawn(sop) } : {}),
    };
  }

  async replay(user: string, id: string, file: string, signal: AbortSignal) {
    const records = await this.history(user, id);
    const { sop } = await this.#library.load(file, signal);
    return { conversation_id: id, content_hash: sop.hash, ...replayConversation(sop, records, 'strict') };
  }

  async coverage(user: string, file: string, signal: AbortSignal) {
    const { sop } = await this.#library.load(file, signal);
    const counter = new CoverageCounter(sop);
    for (const { id } of await this.#log.list(user)) counter.addConversation((await this.#log.read(id)) ?? []);
    return { agent: sop.agent, content_hash: sop.hash, ...counter.result() };
  }

  /** Everything recorded of one of the user's conversations, also of an expired one. */
  async history(user: string, id: string): Promise<ConversationRecord[]> {
    const records = await this.#log.read(id);
    const [first] = records ?? [];
    if (records && first?.type === 'started' && first.user === user) return records;
    throw new ToolError('UNKNOWN_CONVERSATION', `There is no conversation "${id.slice(0, 60)}"`);
  }
}

function drawn(sop: Sop) {
  const { system_prompt: _text, ...summary } = graphAnswer(sop);
  const prompts = Object.fromEntries(sop.nodesWithPrompts.map((id) => [id, nodeAnswer(sop, id).node]));
  return { ...summary, ...edgesAnswer(sop), mermaid: sop.mermaid, prompts };
}

async function hasDiagram(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return /^ {0,3}(?:```|~~~)[ \t]*mermaid/m.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}
