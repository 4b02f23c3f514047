import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Secret, ServerDefinition } from '../model.ts';
import { optional } from './optional.ts';
import { list, Section } from './section.ts';
import type { Variables } from './variables.ts';

export interface ServerContext {
  readonly variables: Variables;
  /** Where a relative `cwd` starts. */
  readonly directory: string;
  /** Where a server without `cwd` runs. */
  readonly workingDirectory: string;
  readonly source: 'graph' | 'external';
}

/** Waymark's own toolsets need no definition. */
export const waymarkPrefix = 'waymark:';

export function waymarkServer(name: string, source: 'graph' | 'external'): ServerDefinition {
  const toolset = name.slice(waymarkPrefix.length);
  return { name, key: `waymark:${toolset}`, type: 'waymark', toolset, source, missing: [], secrets: [] };
}

export function readServers(section: Section, context: ServerContext): Map<string, ServerDefinition> {
  const servers = new Map<string, ServerDefinition>();
  for (const name of section.keys) {
    const entry = Section.read(section.report, section.at(name), section.raw(name), `Server "${name}"`);
    const server = entry && readServer(name, entry, context);
    if (server) servers.set(name, server);
  }
  return servers;
}

const types = ['stdio', 'sse', 'streamableHttp', 'http', 'streamable-http', 'waymark'] as const;
const remoteKeys = ['type', 'url', 'headers', 'requestInit', 'bearerToken', 'timeoutMs', 'description'];

function readServer(name: string, section: Section, context: ServerContext): ServerDefinition | undefined {
  const what = `Server "${name}"`;
  const said = section.oneOf('type', types);
  if (section.has('type') && said === undefined) return undefined;
  const type = said ?? (section.has('command') ? 'stdio' : section.has('url') ? 'http' : undefined);
  if (type === undefined) {
    section.report.error(section.path, 'missing-key', `${what} needs "command" or "url"`);
    return undefined;
  }
  section.string('description');
  // Files that several programs share hold keys that are meant for others.
  const severity = context.source === 'external' ? 'warning' : 'error';
  const missing: string[] = [];
  const secrets: Secret[] = [];
  const fill = (text: string) => {
    const filled = context.variables.fill(text);
    missing.push(...filled.missing);
    secrets.push(...filled.secrets);
    return filled.value;
  };
  const finish = <T extends object>(parts: T) => {
    if (missing.length > 0) {
      const message = `${what} needs ${list(missing)} in the environment`;
      section.report.warn(section.path, 'unset-variable', message);
    }
    return {
      ...parts,
      name,
      key: createHash('sha256')
        .update(JSON.stringify([name, parts]))
        .digest('hex'),
      source: context.source,
      missing,
      secrets,
      ...optional('timeoutMs', section.integer('timeoutMs', 1)),
    };
  };

  if (type === 'waymark') {
    section.allow(['type', 'toolset', 'timeoutMs', 'description'], what, severity);
    const toolset = section.requiredString('toolset', what);
    return toolset === undefined ? undefined : { ...finish({ type, toolset }), key: `waymark:${toolset}` };
  }
  if (type === 'stdio') {
    section.allow(['type', 'command', 'args', 'env', 'cwd', 'timeoutMs', 'description'], what, severity);
    const command = section.requiredString('command', what);
    if (command === undefined) return undefined;
    const cwd = section.string('cwd');
    return finish({
      type,
      command: fill(command),
      args: (section.strings('args') ?? []).map(fill),
      env: readTexts(section, 'env', fill),
      cwd: cwd === undefined ? context.workingDirectory : resolve(context.directory, fill(cwd)),
    });
  }
  section.allow(type === 'sse' ? [...remoteKeys, 'eventSourceInit'] : remoteKeys, what, severity);
  const url = readUrl(section, what, fill);
  if (url === undefined) return undefined;
  const headers = readHeaders(section, fill);
  return type === 'sse' ? finish({ type, url, headers }) : finish({ type: 'http' as const, url, headers });
}

function readUrl(section: Section, what: string, fill: (text: string) => string): string | undefined {
  const text = section.requiredString('url', what);
  if (text === undefined) return undefined;
  const url = fill(text);
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  if (url.includes('${')) return url;
  section.error('url', 'wrong-value', `"url" must be an http or https address`);
  return undefined;
}

function readHeaders(section: Section, fill: (text: string) => string): Record<string, string> {
  const request = section.section('requestInit');
  const token = section.string('bearerToken');
  return {
    ...(request ? readTexts(request, 'headers', fill) : {}),
    ...readTexts(section, 'headers', fill),
    ...(token === undefined ? {} : { Authorization: `Bearer ${fill(token)}` }),
  };
}

function readTexts(section: Section, key: string, fill: (text: string) => string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(section.record(key) ?? {})) {
    if (typeof value === 'string') texts[name] = fill(value);
    else if (typeof value === 'number' || typeof value === 'boolean') texts[name] = String(value);
    else section.report.error(section.at(key, name), 'wrong-type', `"${name}" in "${key}" must be a text`);
  }
  return texts;
}
