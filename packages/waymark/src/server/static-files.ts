import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Apps of MCP servers run here: with an origin of their own, and no way to reach anything. */
const sandboxPolicy = [
  'sandbox allow-scripts allow-forms',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const studioDirectory = fileURLToPath(new URL('../../assets/studio/', import.meta.url));

/** Serves the built studio at `/`. Paths without a file are the studio's own routes and get its page. */
export function registerStaticFiles(app: FastifyInstance, directory = studioDirectory): void {
  app.setNotFoundHandler(async (request, reply) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    const isPage = request.method === 'GET' && !/^\/(api|mcp|healthz|metrics|oauth|\.well-known)(\/|$)/.test(path);
    if (!isPage) return reply.code(404).send({ error: 'NOT_FOUND', message: `There is nothing at ${path}` });

    const wanted = join(directory, normalize(decodePath(path)));
    const inside = wanted.startsWith(directory.endsWith(sep) ? directory : directory + sep);
    const file = inside && (await isFile(wanted)) ? wanted : join(directory, 'index.html');
    if (!(await isFile(file))) return reply.code(200).type('text/html; charset=utf-8').send(plainPage);
    const immutable = path.startsWith('/assets/') && file === wanted;
    return reply
      .header('content-security-policy', path === '/sandbox.html' ? sandboxPolicy : contentSecurityPolicy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      .type(types[extname(file)] ?? 'application/octet-stream')
      .send(createReadStream(file));
  });
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '/';
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

const plainPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Waymark</title>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}code{font-family:ui-monospace,monospace}</style>
<h1>Waymark is running</h1>
<p>Connect an MCP client to <code>/mcp</code>, or to one toolset at <code>/mcp/&lt;toolset&gt;</code>.
<code>GET /api/info</code> lists what is served. The studio is not part of this build.</p>
</html>
`;
