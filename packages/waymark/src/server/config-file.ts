import { readFile } from 'node:fs/promises';
import { isMap, isNode, LineCounter, parseDocument } from 'yaml';
import { nearest } from '../kit/index.ts';
import { type ConfigInput, configSchema } from './config.ts';

/** Something wrong in a configuration file, at its place. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads `waymark.yaml`: variables filled in, every mistake named with its line and column. */
export async function readConfigFile(path: string, environment: NodeJS.ProcessEnv): Promise<ConfigInput> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? 'no such file' : error.code === 'EISDIR' ? 'is a directory' : 'cannot be read';
    throw new ConfigError(`${path}: ${reason}`);
  });
  return parseConfig(text, path, environment);
}

export function parseConfig(text: string, path: string, environment: NodeJS.ProcessEnv): ConfigInput {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const problems = document.errors.map((error) => `${at(error.pos[0])} ${error.message}`);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));

  const offsetOf = (keys: readonly PropertyKey[]): number => {
    const node = document.getIn(keys, true);
    if (isNode(node) && node.range) return node.range[0];
    return keys.length > 0 ? offsetOf(keys.slice(0, -1)) : 0;
  };
  const value = substitute(document.toJS(), environment, (variable, keys) => {
    problems.push(`${at(offsetOf(keys))} ${keys.join('.')}: the variable ${variable} is not set`);
  });
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));

  const result = configSchema.safeParse(value ?? {});
  if (result.success) return (value ?? {}) as ConfigInput;
  for (const issue of result.error.issues) {
    if (issue.code !== 'unrecognized_keys') {
      problems.push(`${at(offsetOf(issue.path))} ${issue.path.join('.') || 'the file'}: ${issue.message}`);
      continue;
    }
    const known = keysAt(issue.path);
    const parent = issue.path.length > 0 ? document.getIn(issue.path, true) : document.contents;
    for (const key of issue.keys) {
      const pair = isMap(parent) ? parent.items.find((item) => String(item.key) === key) : undefined;
      const offset = isNode(pair?.key) && pair.key.range ? pair.key.range[0] : 0;
      const suggestion = nearest(key, known);
      const hint = suggestion ? `; did you mean "${suggestion}"?` : ` (known: ${known.join(', ')})`;
      problems.push(`${at(offset)} unknown key "${[...issue.path, key].join('.')}"${hint}`);
    }
  }
  throw new ConfigError(problems.join('\n'));
}

function keysAt(path: readonly PropertyKey[]): string[] {
  const nested: Record<string, unknown> = { auth: configSchema.shape.auth, limits: configSchema.shape.limits };
  const [section] = path;
  if (section === undefined) return Object.keys(configSchema.shape);
  const field = nested[String(section)] as { unwrap?: () => { shape?: object } } | undefined;
  return Object.keys(field?.unwrap?.().shape ?? {});
}

/** Fills `${VAR}` and `${VAR:-default}` in every string; `$${` is a literal `${`. */
function substitute(
  value: unknown,
  environment: NodeJS.ProcessEnv,
  onMissing: (variable: string, path: string[]) => void,
  path: string[] = [],
): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$(\$\{)|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_match, literal, name: string, fallback) => {
      if (literal) return literal as string;
      const found = environment[name] ?? (fallback as string | undefined);
      if (found === undefined) onMissing(name, path);
      return found ?? '';
    });
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => substitute(item, environment, onMissing, [...path, String(index)]));
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => [
      key,
      substitute(item, environment, onMissing, [...path, key]),
    ]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }
  return value;
}
