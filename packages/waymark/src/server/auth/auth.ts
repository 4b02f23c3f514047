import type { AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger, Scope } from '../../kit/index.ts';
import type { Store } from '../../store/store.ts';
import type { Config } from '../config.ts';
import type { Audit } from './audit.ts';

/** Who may call. One of three: nobody checked, our own authorization server, or somebody else's. */
export interface Auth {
  /** The caller, or undefined with the refusal already sent. */
  authenticate(request: FastifyRequest, reply: FastifyReply): Promise<AuthInfo | undefined>;
  forbid(reply: FastifyReply, scopes: readonly Scope[]): void;
  registerRoutes(app: FastifyInstance): void;
  /** Called once the address is known and before the first request is served. */
  start(baseUrl: URL): Promise<void>;
  readonly audit: Audit;
}

export interface AuthServices {
  readonly config: Config;
  readonly store: () => Promise<Store>;
  readonly log: Logger;
  /** How client metadata documents are fetched; tests serve their own. */
  readonly fetch?: typeof fetch;
  /** How soon an unknown key makes us ask the issuer for its keys again. */
  readonly keyCooldownMs?: number;
}

export async function createAuth(services: AuthServices): Promise<Auth | undefined> {
  switch (services.config.auth.mode) {
    case 'none':
      return undefined;
    case 'embedded':
      return (await import('./embedded.ts')).createEmbeddedAuth(services);
    case 'external':
      return (await import('./external.ts')).createExternalAuth(services);
  }
}
