import { connectMcpApps } from './mcp-apps.ts';
import { connectOpenai } from './openai.ts';
import type { Host, HostEvents } from './host-model.ts';

/** How long a host that also offers `window.openai` may take to answer the standard handshake. */
const patience = 1000;
const longPatience = 5000;

/** The host this page runs in: MCP Apps first, `window.openai` second, nobody otherwise. */
export async function connectHost(name: string, events: HostEvents): Promise<Host | undefined> {
  const openai = window.openai;
  if (window.parent !== window) {
    const host = await connectMcpApps(name, events, openai ? patience : longPatience);
    if (host) return host;
  }
  return openai ? connectOpenai(openai, events) : undefined;
}
