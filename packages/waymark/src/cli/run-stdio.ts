import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createHost, createRoots, type Selection, ToolError } from '../kit/index.ts';
import type { ConfigInput } from '../server/config.ts';
import { createLogger, type LogLevel } from '../server/log.ts';
import { createServices } from '../server/services.ts';
import { startStdio } from '../server/stdio.ts';
import { startTelemetry } from '../server/telemetry.ts';
import { isToolsetName, loadToolsets, toolsetNames } from '../server/toolsets.ts';
import { version } from '../server/version.ts';
import { CliError } from './cli-error.ts';
import { untilSignal } from './until-signal.ts';

/** Serves on stdio until the client goes away or a signal comes, then closes what was opened. */
export async function runStdioServer(options: {
  readonly toolsets: readonly string[] | undefined;
  readonly selection: Selection;
  readonly data?: string;
  readonly root: readonly string[];
  readonly graph?: readonly string[];
  readonly sop?: readonly string[];
  readonly sopRules?: ConfigInput['sop'];
  readonly user: string;
  readonly logLevel: LogLevel;
}): Promise<void> {
  const log = createLogger(options.logLevel);
  const stopped = Promise.race([untilStdinEnds(), untilSignal()]);
  const services = createServices({
    dataDirectory: resolve(options.data ?? process.env['WAYMARK_DATA'] ?? '.waymark'),
    databaseUrl: process.env['DATABASE_URL'],
    roots: await createRoots(options.root),
    log,
    graphs: { files: options.graph ?? [], allowExec: false, selection: options.selection },
  });
  const names = (options.toolsets ?? toolsetNames).filter(isToolsetName);
  const sop = { urls: 'https' as const, ...options.sopRules, sops: options.sop ?? [], log };
  const toolsets = await loadToolsets(names, { ...services, sop }).catch((error: unknown) => {
    throw error instanceof ToolError ? new CliError(error.message, 2) : error;
  });
  const telemetry = await startTelemetry(process.env, version);
  const info = { name: 'waymark', title: 'Waymark', version };
  const server = startStdio({
    toolsets,
    host: createHost({ info, log, ...(telemetry ? { aroundCall: telemetry.aroundCall } : {}) }),
    selection: options.selection,
    user: { id: options.user, scopes: 'all' },
    conversation: `stdio-${randomUUID()}`,
  });
  await stopped;
  await server.close();
  await Promise.allSettled(toolsets.map(async (toolset) => toolset.close?.()));
  await services.close();
  await telemetry?.close();
}

function untilStdinEnds(): Promise<void> {
  return new Promise((resolveEnd) => {
    process.stdin.once('end', resolveEnd);
    process.stdin.once('close', resolveEnd);
  });
}
