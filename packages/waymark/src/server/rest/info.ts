import type { FastifyInstance } from 'fastify';
import type { Toolset } from '../../kit/index.ts';
import type { Config } from '../config.ts';
import { version } from '../version.ts';

/** `GET /api/info`: what this server is and offers; nothing secret, no login needed. */
export function registerInfoRoutes(
  app: FastifyInstance,
  services: { config: Config; toolsets: readonly Toolset[] },
): void {
  app.get('/api/info', () => ({
    name: 'waymark',
    version,
    auth: services.config.auth.mode,
    model: services.config.model ?? 'offline',
    readOnly: services.config.readOnly,
    toolsets: services.toolsets.map(({ name, title, tools }) => ({
      name,
      title,
      endpoint: `/mcp/${name}`,
      tools: tools().map((tool) => ({ name: tool.name, tier: tool.tier, readOnly: tool.annotations.readOnly })),
    })),
  }));
}
