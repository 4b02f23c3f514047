import { join } from 'node:path';
import {
  defineToolset,
  type Events,
  type Logger,
  Reply,
  type Roots,
  silentLogger,
  type Toolset,
} from '../kit/index.ts';
import { createFileLog } from './conversation-files.ts';
import { type ConversationLog, noLog } from './conversation-log.ts';
import { type ConversationLimits, Conversations } from './conversations.ts';
import { type FetchText, Library } from './library.ts';
import type { Navigation } from './model.ts';
import { SopService } from './service.ts';
import { createSopTools } from './tools.ts';

export interface SopToolsetServices {
  readonly roots: Roots;
  readonly events: Events;
  /** Conversations are recorded below it; without one they end with the process. */
  readonly dataDirectory?: string | undefined;
  /** Instead of files in the data directory. */
  readonly conversationLog?: ConversationLog | undefined;
  readonly log?: Logger | undefined;
  /** How strictly moves are checked where an SOP does not say; `strict` unless told otherwise. */
  readonly navigation?: Navigation | undefined;
  /** Given where SOPs may be loaded from URLs. */
  readonly fetchText?: FetchText | undefined;
  readonly limits?: ConversationLimits | undefined;
}

const instructions = `Follow a standard operating procedure drawn as a flowchart.
1. load_graph once; read its system_prompt and keep its conversation_id.
2. todo: write down every request of the user, each with the terminal node that finishes it.
3. goto_node the entry node, then along the edges; do what each node's prompt says, with its tools. Decide at each decision node from its edge conditions. A refused move says where you may go.
4. At a terminal node update the todos, then go back to a re-entry node for the next one.`;

export function createSopToolset(services: SopToolsetServices): Toolset {
  const { roots, events, dataDirectory, log = silentLogger, navigation = 'strict', fetchText, limits } = services;
  const conversationLog =
    services.conversationLog ?? (dataDirectory === undefined ? noLog : createFileLog(join(dataDirectory, 'sop'), log));
  const conversations = new Conversations(conversationLog, limits);
  const library = new Library(roots, conversationLog, fetchText);
  const service = new SopService({ conversations, library, events, navigation });
  return defineToolset({
    name: 'sop',
    title: 'Procedures',
    instructions,
    tools: createSopTools(service),
    onError: ({ code, message, details }) =>
      new Reply({ structured: { valid: false, error: message, code, ...details }, isError: true }),
    close: () => conversations.close(),
  });
}
