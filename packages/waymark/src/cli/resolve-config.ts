import { existsSync, statSync } from 'node:fs';
import { nearest } from '../kit/index.ts';
import { ConfigError, readConfigFile } from '../server/config-file.ts';
import { type Config, type ConfigInput, configSchema } from '../server/config.ts';
import { selectionOfEnvironment } from '../server/selection.ts';
import { toolsetNames } from '../server/toolsets.ts';
import { CliError } from './cli-error.ts';

const defaultFile = 'waymark.yaml';

/** Flags over environment over file over defaults. */
export async function resolveConfig(file: string | undefined, flags: ConfigInput): Promise<Config> {
  const path = file ?? (existsSync(defaultFile) ? defaultFile : undefined);
  const fromFile: ConfigInput = path === undefined ? {} : await readConfigFile(path, process.env).catch(usageError);
  const config = configSchema.parse({
    ...fromFile,
    ...environmentConfig(process.env),
    ...flags,
    auth: { ...fromFile.auth, ...flags.auth },
  });
  for (const name of config.toolsets ?? []) requireToolset(name);
  for (const root of config.roots) requireDirectory(root);
  for (const named of [...config.graphs, ...config.sops]) {
    if (!existsSync(named)) throw new CliError(`${named}: no such file`, 2);
  }
  return config;
}

function environmentConfig(environment: NodeJS.ProcessEnv): ConfigInput {
  const { DATABASE_URL, WAYMARK_DATA, WAYMARK_MODEL } = environment;
  const { toolsets, tools, excludeTools, readOnly } = selectionOfEnvironment(environment);
  return {
    ...(DATABASE_URL ? { databaseUrl: DATABASE_URL } : {}),
    ...(WAYMARK_DATA ? { data: WAYMARK_DATA } : {}),
    ...(WAYMARK_MODEL ? { model: WAYMARK_MODEL } : {}),
    ...(toolsets ? { toolsets: [...toolsets] } : {}),
    ...(tools ? { tools: [...tools] } : {}),
    ...(excludeTools ? { excludeTools: [...excludeTools] } : {}),
    ...(readOnly ? { readOnly } : {}),
  };
}

export function requireToolset(name: string): void {
  if ((toolsetNames as string[]).includes(name)) return;
  const suggestion = nearest(name, toolsetNames);
  const hint = suggestion ? `did you mean "${suggestion}"?` : `known: ${toolsetNames.join(', ')}`;
  throw new CliError(`Unknown toolset "${name}"; ${hint}`, 2);
}

export function requireDirectory(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new CliError(`${path}: no such directory`, 2);
  if (!stats.isDirectory()) throw new CliError(`${path}: not a directory`, 2);
}

function usageError(error: unknown): never {
  throw error instanceof ConfigError ? new CliError(error.message, 2) : error;
}
