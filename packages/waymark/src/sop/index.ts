import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import {
  defineToolset,
  type Events,
  type Logger,
  Reply,
  type Roots,
  silentLogger,
  type Toolset,
} from '../kit/index.ts';
import type { Store } from '../store/store.ts';
import { createFileLog } from './conversation-files.ts';
import { type ConversationLog, noLog } from './conversation-log.ts';
import { type ConversationLimits, Conversations } from './conversations.ts';
import { createFetchText } from './fetch-sop.ts';
import { type FetchText, Library } from './library.ts';
import type { Gate } from './gate-proxy.ts';
import type { GateMode, Navigation, Sop } from './model.ts';
import { createSopPrompts, createSopResources } from './resources.ts';
import type { SopReview } from './review.ts';
import { SopService } from './service.ts';
import { createSopTools } from './tools.ts';
import { createReviewTools } from './tools-more.ts';
import type { ConnectUpstream } from './upstream.ts';

export interface SopToolsetServices {
  readonly roots: Roots;
  readonly events: Events;
  /** Conversations are recorded below it; without one they end with the process. */
  readonly dataDirectory?: string | undefined;
  /** Where several servers share one database: conversations are also recorded there. */
  readonly store?: (() => Promise<Store>) | undefined;
  /** `files` never opens the store; `both` is for servers that share a database. */
  readonly recordIn?: 'files' | 'both' | undefined;
  readonly log?: Logger | undefined;
  /** How strictly moves are checked where an SOP does not say; `strict` unless told otherwise. */
  readonly navigation?: Navigation | undefined;
  /** SOP files the operator named. They can be loaded by their agent's name, and their tools can be gated. */
  readonly sops?: readonly string[] | undefined;
  /** Puts the tools of those SOPs' servers behind the procedure, where an SOP does not say; `off` by default. */
  readonly gate?: GateMode | undefined;
  readonly connectUpstream?: ConnectUpstream | undefined;
  /** Whether SOPs may be loaded from URLs: `https` only public ones, `loopback` also this machine. */
  readonly urls?: 'off' | 'https' | 'loopback' | undefined;
  /** Instead of fetching them ourselves. */
  readonly fetchText?: FetchText | undefined;
  readonly limits?: ConversationLimits | undefined;
}

const instructions = `Follow a standard operating procedure drawn as a flowchart.
1. load_graph once; read its system_prompt and keep its conversation_id.
2. todo: write down every request of the user, each with the terminal node that finishes it.
3. goto_node the entry node, then along the edges; do what each node's prompt says, with its tools. Decide at each decision node from its edge conditions. A refused move says where you may go.
4. At a terminal node update the todos, then go back to a re-entry node for the next one.`;

export async function createSopToolset(services: SopToolsetServices): Promise<Toolset> {
  const { roots, events, log = silentLogger, navigation = 'strict', gate = 'off', urls = 'off' } = services;
  const conversationLog = await openLog(services, log);
  const conversations = new Conversations(conversationLog, services.limits);
  const fetchText = services.fetchText ?? (urls === 'off' ? undefined : createFetchText(urls));
  const library = new Library(roots, conversationLog, fetchText);
  const service = new SopService({ conversations, library, events, navigation });
  const warmUp = setTimeout(() => void warmParser(log), warmUpAfterMilliseconds).unref();

  const openReview = async () => new (await import('./review.ts')).SopReview(roots, conversationLog, library);

  const offered = await Promise.all((services.sops ?? []).map((file) => library.offer(resolve(file))));
  const gated = offered.filter((sop) => (sop.gate ?? gate) !== 'off' && sop.mcpServers.length > 0);
  const opened = gated.length === 0 ? undefined : await openGateOf(services, gated, gate, service, log);
  return defineToolset({
    name: 'sop',
    title: 'Procedures',
    instructions,
    tools: [...createSopTools(service), ...createReviewTools(openReview), ...(opened?.tools ?? [])],
    prompts: createSopPrompts(library),
    resources: createSopResources(library),
    onError: ({ code, message, details }) =>
      new Reply({ structured: { valid: false, error: message, code, ...details }, isError: true }),
    async close() {
      clearTimeout(warmUp);
      await opened?.close();
      await conversations.close();
    },
  });
}

/** Late enough not to delay the first answers, early enough for the first load_graph to be quick. */
const warmUpAfterMilliseconds = 150;
const warmUpRounds = 10;

async function warmParser(log: Logger): Promise<void> {
  try {
    const { parseSop } = await import('./parse-sop.ts');
    for (let round = 0; round < warmUpRounds; round++) parseSop(warmUpSop);
  } catch (error) {
    log.debug('the SOP parser could not be loaded ahead of time', { error });
  }
}

const warmUpSop = `---
agent: warm-up
version: 1.0
model: { provider: x, name: y }
mcp_servers: [{ name: x, url: https://x }]
tools: [a]
---
## Role
## SOP Flowchart
\`\`\`mermaid
flowchart TD
    %% words
    START([a b]) --> A["c (d)"] -->|e| B{f == g?}
    B -.->|"h"| C[/i/] & D
\`\`\`
## Node Prompts
### A
\`\`\`yaml
tools: [a]
examples: [{ user: x, agent: y }]
\`\`\`
words
`;

/** What the studio needs: the same conversations and files, seen by the people they belong to. */
export async function createSopReview(services: SopToolsetServices): Promise<SopReview> {
  const { SopReview: Review } = await import('./review.ts');
  const log = await openLog(services, services.log ?? silentLogger);
  const library = new Library(services.roots, log, undefined);
  for (const file of services.sops ?? []) await library.offer(resolve(file));
  return new Review(services.roots, log, library);
}

async function openLog(services: SopToolsetServices, log: Logger): Promise<ConversationLog> {
  const { dataDirectory, store, recordIn = 'files' } = services;
  const files = dataDirectory === undefined ? noLog : createFileLog(join(dataDirectory, 'sop'), log);
  if (recordIn === 'files' || !store) return files;
  const { createSharedLog, createStoreLog } = await import('./conversation-store.ts');
  return createSharedLog(files, createStoreLog(store, log, randomUUID()));
}

async function openGateOf(
  services: SopToolsetServices,
  sops: readonly Sop[],
  mode: GateMode,
  service: SopService,
  log: Logger,
): Promise<Gate> {
  const { openGate } = await import('./gate-proxy.ts');
  const connect = services.connectUpstream ?? (await import('./upstream.ts')).connectUpstream;
  return openGate({ sops, mode, service, connect, log });
}

export type { SopEdit } from './edit-sop.ts';
export type { SopReview } from './review.ts';
