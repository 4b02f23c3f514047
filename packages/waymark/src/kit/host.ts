import { randomBytes } from 'node:crypto';
import type {
  CallToolResult,
  Implementation,
  InputRequiredResult,
  ServerContext,
  ServerOptions,
} from '@modelcontextprotocol/server';
import { type Logger, silentLogger } from './context.ts';
import type { CatalogEntry } from './catalog.ts';
import type { Context } from './context.ts';

export type CallNext = (context: Context) => Promise<CallToolResult | InputRequiredResult>;

/** What surrounds the tools of one process: its name, clock, randomness, log, and what wraps each call. */
export interface Host {
  readonly info: Implementation;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly randomId: () => string;
  /** Limits, telemetry and audit go around every call here. */
  aroundCall(entry: CatalogEntry, context: Context, next: CallNext): Promise<CallToolResult | InputRequiredResult>;
  /** Gives tools more than the usual context, for those that need the protocol itself. */
  extendContext?(context: Context, request: ServerContext): Context;
  /** Verifies the state that a question to the user carried; see `createRequestStateCodec` of the MCP SDK. */
  readonly requestState?: NonNullable<ServerOptions['requestState']>;
}

export function createHost(parts: Partial<Host> = {}): Host {
  return {
    info: { name: 'waymark', version: '0.0.0' },
    log: silentLogger,
    clock: () => new Date(),
    randomId: () => randomBytes(18).toString('base64url'),
    aroundCall: (_entry, context, next) => next(context),
    ...parts,
  };
}
