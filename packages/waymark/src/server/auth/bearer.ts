import type { AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type JWTVerifyGetKey, jwtVerify } from 'jose';
import { allScopes, type Scope, type User } from '../../kit/index.ts';
import { jsonRpcError } from '../json-rpc-error.ts';
import { accessTokenPrefix, type AccessTokens } from './access-tokens.ts';
import { cookieOf, studioCookie } from './studio-cookie.ts';
import { textOf } from './text-of.ts';

export interface BearerOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: JWTVerifyGetKey;
  readonly tokens: AccessTokens;
  readonly metadataUrl: string;
  /** The user behind a verified token; undefined refuses it, for example when the account is gone. */
  readonly userOf: (claims: { issuer: string; subject: string }) => Promise<string | undefined>;
  /** Where the issuer puts scopes; external issuers differ. */
  readonly scopeClaim?: string | undefined;
  readonly now: () => Date;
}

const remembered = 10_000;
/** Revoked personal tokens and deleted users are noticed after this at the latest. */
const rememberMs = 10_000;

/** Checks the bearer token of a request. What has been verified once is remembered for a moment. */
export class BearerGate {
  readonly #options: BearerOptions;
  readonly #known = new Map<string, { info: AuthInfo; until: number }>();

  constructor(options: BearerOptions) {
    this.#options = options;
  }

  /** The caller, or undefined with a 401 already sent. */
  async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<AuthInfo | undefined> {
    const header = request.headers.authorization ?? '';
    const [, bearer] = /^Bearer +(\S+)$/i.exec(header) ?? [];
    const token = bearer ?? (header ? undefined : cookieOf(request, studioCookie));
    if (!token) {
      this.#challenge(
        reply,
        header ? 'The Authorization header must be "Bearer <token>"' : 'Sign in first',
        header !== '',
      );
      return undefined;
    }
    const info = await this.verify(token);
    if (!info) this.#challenge(reply, 'The token is invalid, expired, or not for this server', true);
    return info;
  }

  async verify(token: string): Promise<AuthInfo | undefined> {
    const now = this.#options.now().getTime();
    const known = this.#known.get(token);
    if (known && known.until > now) return known.info;
    this.#known.delete(token);
    const info = token.startsWith(accessTokenPrefix) ? await this.#verifyPersonal(token) : await this.#verifyJwt(token);
    if (!info) return undefined;
    if (this.#known.size >= remembered) this.#known.clear();
    this.#known.set(token, { info, until: Math.min(now + rememberMs, (info.expiresAt ?? Infinity) * 1000) });
    return info;
  }

  /** 403 that names every scope the call needs, so that a client asks for them at once. */
  forbid(reply: FastifyReply, scopes: readonly Scope[]): void {
    const value = `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", resource_metadata="${this.#options.metadataUrl}"`;
    reply
      .code(403)
      .header('www-authenticate', value)
      .send(jsonRpcError(-32000, `This needs the scope ${scopes.join(' ')}`));
  }

  #challenge(reply: FastifyReply, message: string, invalid: boolean): void {
    const error = invalid ? 'error="invalid_token", ' : '';
    const value = `Bearer ${error}scope="${allScopes.join(' ')}", resource_metadata="${this.#options.metadataUrl}"`;
    reply.code(401).header('www-authenticate', value).send(jsonRpcError(-32000, message));
  }

  async #verifyPersonal(token: string): Promise<AuthInfo | undefined> {
    const found = await this.#options.tokens.verify(token);
    if (!found) return undefined;
    const expiresAt = found.expiresAt ? Math.floor(found.expiresAt.getTime() / 1000) : undefined;
    return authInfo(token, `token:${found.id}`, found.userId, found.scopes, expiresAt);
  }

  async #verifyJwt(token: string): Promise<AuthInfo | undefined> {
    const { issuer, audience, keys, scopeClaim = 'scope' } = this.#options;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
        requiredClaims: ['sub', 'exp'],
        currentDate: this.#options.now(),
      });
      const userId = await this.#options.userOf({ issuer, subject: textOf(payload.sub) });
      if (userId === undefined) return undefined;
      const granted = payload[scopeClaim];
      const words = Array.isArray(granted) ? granted.map(String) : textOf(granted).split(' ');
      const scopes = words.filter((word): word is Scope => (allScopes as string[]).includes(word));
      return authInfo(token, textOf(payload['client_id'] ?? payload['azp']), userId, scopes, payload.exp);
    } catch {
      return undefined;
    }
  }
}

function authInfo(
  token: string,
  clientId: string,
  userId: string,
  scopes: readonly Scope[],
  expiresAt: number | undefined,
): AuthInfo {
  const user: User = { id: userId, scopes: new Set(scopes), ...(clientId ? { client: clientId } : {}) };
  return { token, clientId, scopes: [...scopes], ...(expiresAt === undefined ? {} : { expiresAt }), extra: { user } };
}
