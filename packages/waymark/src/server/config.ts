import { z } from 'zod';

const rate = z.strictObject({
  perSecond: z.number().positive().describe('How fast the allowance refills'),
  burst: z.number().int().positive().describe('How many at once'),
});

/** Everything `waymark serve` can be told, in a file or by flags. Flags win over the file, the file over defaults. */
export const configSchema = z.strictObject({
  port: z.number().int().min(0).max(65_535).default(4840).describe('TCP port; 0 takes a free one'),
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on; anything but loopback needs auth'),
  data: z.string().min(1).default('.waymark').describe('Directory of the embedded store and of other state'),
  databaseUrl: z.string().optional().describe('Postgres 15 or newer; without it the embedded store is used'),
  roots: z
    .array(z.string().min(1))
    .optional()
    .describe('Directories that file tools may reach; with auth shared by all, beside a directory for each user'),
  graphs: z.array(z.string().min(1)).default([]).describe('Graph files to serve'),
  sops: z.array(z.string().min(1)).default([]).describe('Standard operating procedures to offer by name'),
  sop: z
    .strictObject({
      urls: z
        .enum(['off', 'https', 'loopback'])
        .default('https')
        .describe('Procedures from URLs: none, public https ones, or also those of this machine'),
      gate: z
        .enum(['off', 'warn', 'enforce'])
        .default('off')
        .describe('Tools of the named procedures away from their nodes, where a procedure does not say'),
      navigation: z
        .enum(['strict', 'spec'])
        .default('strict')
        .describe('When re-entry nodes open, where a procedure does not say: once reached, or at once'),
    })
    .prefault({})
    .describe('Standard operating procedures'),
  toolsets: z.array(z.string()).optional().describe('Serve only these toolsets'),
  tools: z.array(z.string()).optional().describe('Serve only these tools'),
  excludeTools: z.array(z.string()).optional().describe('Never serve these tools'),
  readOnly: z.boolean().default(false).describe('Serve only tools that change nothing'),
  allowExec: z.boolean().default(false).describe('Also run commands from graph files that the operator did not name'),
  publicUrl: z.url().optional().describe('The address clients use, where it differs from host and port'),
  allowedHosts: z.array(z.string()).default([]).describe('Further host names a request may carry'),
  allowedOrigins: z.array(z.string()).default([]).describe('Further origins (host names) that browsers may call from'),
  model: z.string().optional().describe('Language model as provider/name; without it the offline model answers'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('What is written to stderr'),
  auth: z
    .strictObject({
      mode: z.enum(['none', 'embedded', 'external']).default('none').describe('Who checks identities'),
      issuer: z.url().optional().describe('The external issuer (mode external)'),
      audience: z.string().optional().describe('The audience tokens must carry; by default the public URL with /mcp'),
      scopeClaim: z.string().optional().describe('The claim that holds the scopes, where it is not "scope"'),
    })
    .prefault({})
    .describe('Authentication'),
  limits: z
    .strictObject({
      maxBodyBytes: z
        .number()
        .int()
        .positive()
        .default(4 * 1024 * 1024)
        .describe('Largest request body'),
      maxBatch: z.number().int().positive().default(50).describe('Largest JSON-RPC batch on the older wire'),
      callTimeoutMs: z.number().int().positive().default(300_000).describe('Longest tool call'),
      maxConcurrentCalls: z.number().int().positive().default(256).describe('Calls of one user at once'),
      requests: rate.optional().describe('Requests per user; by default unlimited without auth, else 50/s, burst 500'),
      perTool: rate.optional().describe('Calls per user and tool'),
      sessionIdleMs: z.number().int().positive().default(3_600_000).describe('When an unused session ends'),
      maxSessions: z.number().int().positive().default(10_000).describe('Sessions of the older wire'),
      shutdownMs: z.number().int().positive().default(10_000).describe('How long stopping waits for calls'),
    })
    .prefault({})
    .describe('Limits'),
});

export type Config = z.infer<typeof configSchema>;
export type ConfigInput = z.input<typeof configSchema>;
