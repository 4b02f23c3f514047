import type { FastifyInstance } from 'fastify';
import { allScopes } from '../../kit/index.ts';

export const metadataPath = '/.well-known/oauth-protected-resource/mcp';

/** Where clients learn who issues tokens for this server (RFC 9728); toolset endpoints share the one document. */
export function registerResourceMetadata(
  app: FastifyInstance,
  document: () => { resource: string; issuer: string },
): void {
  const answer = () => {
    const { resource, issuer } = document();
    return {
      resource,
      authorization_servers: [issuer],
      scopes_supported: allScopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Waymark',
    };
  };
  for (const path of ['/.well-known/oauth-protected-resource', metadataPath, `${metadataPath}/*`]) {
    app.get(path, (_request, reply) => reply.header('access-control-allow-origin', '*').send(answer()));
  }
}
