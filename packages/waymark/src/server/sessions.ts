import { randomUUID } from 'node:crypto';
import { type AuthInfo, type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  readonly userId: string;
  lastUsed: number;
  open: number;
}

export interface SessionOptions {
  readonly idleMs: number;
  readonly maxSessions: number;
  readonly now: () => number;
}

/** The sessions of the older wire: one server each, kept until the client ends it or stays away too long. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #options: SessionOptions;
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.sweep(), Math.min(options.idleMs, 60_000)).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Undefined where the id is unknown, expired, or another user's: the three look the same from outside. */
  find(id: string, userId: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session?.userId === userId ? session : undefined;
  }

  /** Answers an `initialize` with a new session. */
  async create(
    connect: (conversation: string) => Server,
    userId: string,
    request: Request,
    options: { authInfo?: AuthInfo; parsedBody: unknown },
  ): Promise<Response> {
    if (this.#sessions.size >= this.#options.maxSessions) this.#dropLongestIdle();
    const id = randomUUID();
    const server = connect(id);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => {
        this.#sessions.set(id, { transport, server, userId, lastUsed: this.#options.now(), open: 0 });
      },
      onsessionclosed: () => {
        this.#sessions.delete(id);
      },
    });
    await server.connect(transport);
    return transport.handleRequest(request, options);
  }

  async handle(
    session: Session,
    request: Request,
    options: { authInfo?: AuthInfo; parsedBody?: unknown },
  ): Promise<Response> {
    session.lastUsed = this.#options.now();
    session.open += 1;
    try {
      return await session.transport.handleRequest(request, options);
    } finally {
      session.open -= 1;
      session.lastUsed = this.#options.now();
    }
  }

  sweep(): void {
    const deadline = this.#options.now() - this.#options.idleMs;
    for (const [id, session] of this.#sessions) {
      if (session.open === 0 && session.lastUsed < deadline) this.#drop(id, session);
    }
  }

  async notifyChanged(what: 'tools' | 'prompts'): Promise<void> {
    const notify = (server: Server) =>
      what === 'tools' ? server.sendToolListChanged() : server.sendPromptListChanged();
    await Promise.allSettled([...this.#sessions.values()].map(({ server }) => notify(server)));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.allSettled([...this.#sessions.values()].map(({ server }) => server.close()));
    this.#sessions.clear();
  }

  #dropLongestIdle(): void {
    const idle = [...this.#sessions].filter(([, session]) => session.open === 0);
    const [oldest] = idle.toSorted(([, left], [, right]) => left.lastUsed - right.lastUsed);
    if (oldest) this.#drop(...oldest);
  }

  #drop(id: string, session: Session): void {
    this.#sessions.delete(id);
    void session.server.close();
  }
}
