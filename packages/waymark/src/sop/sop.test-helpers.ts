import { mkdtemp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  connectInProcess,
  createCatalog,
  createEvents,
  createHost,
  createRoots,
  type Toolset,
  type WaymarkEvent,
} from '../kit/index.ts';
import { createSopToolset, type SopToolsetServices } from './index.ts';

export const exampleDirectory = fileURLToPath(new URL('../../../../examples/sop/', import.meta.url));
export const readExample = (name: string) => readFile(join(exampleDirectory, name), 'utf8');

export interface Answer {
  readonly isError: boolean;
  readonly data: Record<string, unknown>;
  readonly text: string;
}

export type Call = (tool: string, args?: Record<string, unknown>) => Promise<Answer>;

export interface Workplace {
  readonly directory: string;
  readonly toolset: Toolset;
  readonly events: WaymarkEvent[];
  write(name: string, text: string | Uint8Array): Promise<string>;
  /** A client of some user; with a session as on stdio and the older wire, or without as on the stateless one. */
  connect(options?: {
    user?: string;
    session?: string | undefined;
  }): Promise<{ call: Call; client: Awaited<ReturnType<typeof connectInProcess>> }>;
  now: Date;
}

/** A toolset on a directory of its own, with a clock that tests can move. */
export async function createWorkplace(
  files: Record<string, string> = {},
  services: Partial<SopToolsetServices> = {},
): Promise<Workplace> {
  const directory = await mkdtemp(join(tmpdir(), 'waymark-sop-'));
  const write = async (name: string, text: string | Uint8Array) => {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
    return join(directory, name);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const events = createEvents();
  const seen: WaymarkEvent[] = [];
  events.subscribe((event) => seen.push(event));
  const toolset = await createSopToolset({ roots: await createRoots([directory]), events, ...services });
  const catalog = createCatalog([toolset]);
  const workplace: Workplace = {
    directory,
    toolset,
    events: seen,
    write,
    now: new Date('2026-03-01T10:00:00Z'),
    async connect({ user = 'local', session } = { session: 'session-1' }) {
      const host = createHost({ clock: () => workplace.now });
      const caller = { user: { id: user, scopes: 'all' as const }, conversation: session };
      const client = await connectInProcess(catalog, host, caller);
      const call: Call = async (tool, args = {}) => {
        const result = await client.callTool({ name: tool, arguments: args });
        const [first] = result.content as { type: string; text: string }[];
        return {
          isError: result.isError === true,
          data: (result.structuredContent ?? {}) as Record<string, unknown>,
          text: first?.text ?? '',
        };
      };
      return { call, client };
    },
  };
  return workplace;
}

/** An SOP with nothing but a flowchart, and what is added behind it. */
export function sopWith(
  flowchart: string,
  { frontmatter = '', prompts = '' }: { frontmatter?: string; prompts?: string } = {},
): string {
  const head = frontmatter ? `---\n${frontmatter}\n---\n\n` : '';
  const tail = prompts ? `\n## Node Prompts\n\n${prompts}\n` : '';
  return `${head}## SOP Flowchart\n\n\`\`\`mermaid\n${flowchart}\n\`\`\`\n${tail}`;
}
