import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { loadModel, openToolServer, SopAgent, type SopTurn, type ToolServer } from '../agent/index.ts';
import { connectInProcess, createCatalog, createHost, createRoots } from '../kit/index.ts';
import { createLogger } from '../server/log.ts';
import { createServices } from '../server/services.ts';
import { version } from '../server/version.ts';
import { createSopToolset } from '../sop/index.ts';
import type { McpServer, Sop } from '../sop/model.ts';
import { parseSop } from '../sop/parse-sop.ts';
import { CliError } from './cli-error.ts';

export interface SopSession {
  readonly greeting: string;
  say(message: string): Promise<SopTurn>;
  close(): Promise<void>;
}

const connectTimeoutMs = 15_000;

/** Puts an agent together from the SOP file the operator named: its model, its servers, its procedure. */
export async function openSopSession(
  file: string,
  flags: { readonly user: string; readonly model?: string; readonly conversation?: string; readonly data?: string },
): Promise<SopSession> {
  const path = resolve(file);
  const { sop, errors } = parseSop(await readFile(path, 'utf8'), basename(file, '.md'));
  const [error] = errors;
  if (!sop)
    throw new CliError(`${file}:${error?.line ?? 1}:${error?.column ?? 1} ${error?.message ?? 'not an SOP'}`, 1);
  const log = createLogger(process.env['WAYMARK_DEBUG'] ? 'debug' : 'silent');
  const roots = await createRoots([dirname(path)]);
  const services = createServices({
    dataDirectory: resolve(flags.data ?? process.env['WAYMARK_DATA'] ?? '.waymark'),
    databaseUrl: process.env['DATABASE_URL'],
    roots,
    log,
  });
  const clients: Client[] = [];
  try {
    const model = await modelOf(sop, flags.model ?? (process.env['WAYMARK_MODEL'] || undefined));
    const { pool } = await services.store();
    await pool.query('insert into users (id) values ($1) on conflict do nothing', [flags.user]);
    const servers: ToolServer[] = [];
    for (const server of sop.mcpServers) {
      const client = await connect(server, dirname(path));
      clients.push(client);
      servers.push(await openToolServer(client));
    }
    const toolset = await createSopToolset({
      roots,
      events: services.events,
      dataDirectory: services.dataDirectory,
      log,
    });
    const user = { id: flags.user, scopes: 'all' as const };
    const host = createHost({ info: { name: 'waymark', version }, log });
    const client = await connectInProcess(createCatalog([toolset]), host, { user });
    const agent = new SopAgent({
      store: services.store,
      sop: client,
      file: path,
      servers,
      model,
      clock: host.clock,
      randomId: host.randomId,
      log,
    });
    let { conversation } = flags;
    return {
      greeting: `${sop.agent} (${agent.modelName === 'offline' ? 'offline: follows the flowchart by rules, without a language model' : agent.modelName}). Say "exit" to end.`,
      async say(message) {
        const turn = await agent.turn({ user, message, conversation });
        conversation = turn.conversation;
        return turn;
      },
      async close() {
        await Promise.allSettled([client.close(), ...clients.map((one) => one.close())]);
        await toolset.close?.();
        await services.close();
      },
    };
  } catch (failure) {
    await Promise.allSettled(clients.map((one) => one.close()));
    await services.close();
    throw failure;
  }
}

/** The model that was asked for, else the one in the file if its key is there, else none. */
async function modelOf({ model }: Sop, choice: string | undefined) {
  if (choice === 'offline') return undefined;
  const settings = {
    ...(model?.temperature === null ? {} : { temperature: model?.temperature }),
    ...(model?.max_tokens === null ? {} : { maxTokens: model?.max_tokens }),
  };
  if (choice !== undefined) {
    return loadModel(choice, process.env, settings).catch((error: unknown) => {
      throw new CliError(error instanceof Error ? error.message : String(error), 2);
    });
  }
  if (!model?.provider || !model.name) return undefined;
  return loadModel(`${model.provider}/${model.name}`, process.env, settings).catch(() => undefined);
}

async function connect(server: McpServer, directory: string): Promise<Client> {
  const client = new Client({ name: 'waymark-agent', version });
  try {
    await client.connect(transportTo(server, directory), { timeout: connectTimeoutMs });
    return client;
  } catch {
    throw new CliError(
      `cannot reach the server "${server.name}" that the SOP names (${server.url ?? server.command ?? ''})`,
    );
  }
}

function transportTo({ name, url, command, args, env }: McpServer, directory: string) {
  if (command !== undefined) {
    // Started without a shell, in the folder of the SOP, with only the variables that the file names.
    return new StdioClientTransport({
      command,
      args: [...(args ?? [])],
      cwd: directory,
      stderr: 'ignore',
      ...(env ? { env: { ...env } } : {}),
    });
  }
  if (url === undefined) throw new CliError(`the server "${name}" has neither a url nor a command`);
  const address = new URL(url);
  return address.pathname.endsWith('/sse')
    ? new SSEClientTransport(address)
    : new StreamableHTTPClientTransport(address);
}
