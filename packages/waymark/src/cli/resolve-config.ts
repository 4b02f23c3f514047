import { existsSync } from 'node:fs';
import { ConfigError, readConfigFile } from '../server/config-file.ts';
import { type Config, type ConfigInput, configSchema } from '../server/config.ts';
import { selectionOfEnvironment } from '../server/selection.ts';
import { CliError } from './cli-error.ts';
import { requireDirectory, requireToolset } from './require.ts';

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
    sop: { ...fromFile.sop, ...flags.sop },
  });
  for (const name of config.toolsets ?? []) requireToolset(name);
  for (const root of config.roots ?? []) requireDirectory(root);
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

function usageError(error: unknown): never {
  throw error instanceof ConfigError ? new CliError(error.message, 2) : error;
}
