import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import {
  connectInProcess,
  createCatalog,
  createEvents,
  createHost,
  createRoots,
  type WaymarkEvent,
} from '../kit/index.ts';
import { Book } from './book/book.ts';
import type { BookIndex } from './book/book-index.ts';
import { createHnpxToolset, type HnpxServices } from './index.ts';

/** A directory of its own for one test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'waymark-hnpx-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export interface Answer {
  readonly text: string;
  readonly structured: Record<string, unknown>;
  readonly isError: boolean;
}

export interface Desk {
  readonly directory: string;
  readonly client: Client;
  readonly published: WaymarkEvent[];
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Calls a tool that must succeed. */
  use(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Calls a tool that must be refused, and returns the error. */
  refuse(name: string, args?: Record<string, unknown>): Promise<RefusedError>;
}

export interface RefusedError {
  readonly error: true;
  readonly code: string;
  readonly message: string;
  readonly details: Record<string, unknown>;
}

/** An MCP client on a fresh directory. */
export async function openDesk(services: Partial<HnpxServices> = {}): Promise<Desk> {
  const directory = await temporaryDirectory();
  const published: WaymarkEvent[] = [];
  const events = createEvents();
  events.subscribe((event) => published.push(event));
  const roots = await createRoots([directory]);
  const toolset = createHnpxToolset({ roots, events, ...services });
  const client = await connectInProcess(createCatalog([toolset]), createHost(), {
    user: { id: 'local', scopes: 'all' },
  });
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    const result = await client.callTool({ name, arguments: args });
    const [content] = result.content;
    return {
      text: content?.type === 'text' ? content.text : '',
      structured: (result.structuredContent ?? {}) as Record<string, unknown>,
      isError: result.isError === true,
    };
  };
  return {
    directory,
    client,
    published,
    call,
    async use(name, args) {
      const answer = await call(name, args);
      if (answer.isError) throw new Error(`${name} was refused: ${answer.text}`);
      return answer.structured;
    },
    async refuse(name, args) {
      const answer = await call(name, args);
      if (!answer.isError) throw new Error(`${name} was not refused: ${answer.text}`);
      return answer.structured as unknown as RefusedError;
    },
  };
}

/** A small book of the first dialect, one of everything. */
export const smallBook = `<?xml version="1.0" encoding="UTF-8"?>
<!-- a note of the author -->
<book id="b00001">
  <summary>A ferryman keeps a promise.</summary>

  <chapter id="c00001" title="The Ford" pov="ilse">
    <summary>Ilse reaches the river.</summary>
    <sequence id="s00001" loc="Riverbank" time="dusk">
      <summary>No boat is there.</summary>
      <beat id="t00001">
        <summary>She waits.</summary>
        <paragraph id="p00001" mode="narration">
          <summary>The river at dusk.</summary>
          The river was the colour of slate &amp; iron.
        </paragraph>
        <paragraph id="p00002" mode="dialogue" char="ilse">
          <summary>She calls out.</summary>
          Is anyone there?
        </paragraph>
        <paragraph id="p00003" mode="internal">
          <summary>She doubts.</summary>
          Nobody ever comes.
        </paragraph>
      </beat>
      <beat id="t00002">
        <summary>A light appears.</summary>
      </beat>
    </sequence>
    <!-- the crossing belongs here -->
    <sequence id="s00002" loc="Ferry">
      <summary>The crossing.</summary>
    </sequence>
  </chapter>
  <chapter id="c00002" title="The Far Side">
    <summary>What waits over there.</summary>
  </chapter>
</book>
`;

export function parseText(text: string): Book {
  return Book.parse(Buffer.from(text, 'utf8'));
}

/** An index in a form that compares and prints well. */
export function readable(index: BookIndex): Record<string, unknown> {
  const { count, ...columns } = index;
  return { count, ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, [...values]])) };
}

/** Ids in a fixed order, for tests that name them. */
export function countingIds(start = 36 ** 5): (bound: number) => number {
  let next = start;
  return (bound) => next++ % bound;
}
