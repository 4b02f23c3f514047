import { type ChildProcess, spawn } from 'node:child_process';
import { type JSONRPCMessage, SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client';
import { BoundedLines, type OversizedLine } from './bounded-lines.ts';
import type { OutputTail } from './output-tail.ts';
import { readMessage, replyToOversized } from './replies.ts';
import { adoptGroup, endGroup, forgetGroup } from './process-group.ts';

export interface StdioCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly maxResponseBytes: number;
  readonly stderr: OutputTail;
}

const closePatienceMs = 1000;

/** What a child process may know of our environment; everything else must be named in its `env`. */
const inherited =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROGRAMDATA',
        'PROGRAMFILES',
      ].concat(['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR'])
    : ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

function minimalEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of inherited) {
    const value = process.env[name];
    // A value that starts with "()" is an exported shell function.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value;
  }
  return environment;
}

/**
 * Speaks MCP to a child process in a group of its own, started without a shell. Unlike the SDK's
 * transport it ends grandchildren too (`npx` makes them), survives responses of any size, and
 * reports why the process ended.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why the process ended, once it has. */
  ending: string | undefined;

  readonly #command: StdioCommand;
  readonly #lines: BoundedLines;
  #child: ChildProcess | undefined;

  constructor(command: StdioCommand) {
    this.#command = command;
    this.#lines = new BoundedLines(command.maxResponseBytes);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, stderr } = this.#command;
    const child = spawn(command, [...args], {
      cwd,
      env: { ...minimalEnvironment(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
    child.once('exit', (code, signal) => {
      this.ending = signal ? `was ended by ${signal}` : `exited with code ${code}`;
      if (child.pid !== undefined) forgetGroup(child.pid);
      // A daemon that left the group may hold the pipes open for ever.
      setTimeout(() => child.stdout.destroy(), closePatienceMs).unref();
    });
    child.once('close', () => {
      this.#child = undefined;
      this.onclose?.();
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    adoptGroup(child);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new SdkError(SdkErrorCode.NotConnected, 'Not connected'));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    if (this.#child) await endGroup(this.#child, closePatienceMs);
  }

  #read(chunk: Buffer): void {
    for (const line of this.#lines.push(chunk)) {
      if (typeof line !== 'string') this.#refuse(line);
      else if (line.trim() !== '') this.#deliver(line);
    }
  }

  #deliver(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#command.stderr.add(`(on stdout, not JSON) ${line}`);
      return;
    }
    this.onmessage?.(readMessage(message));
  }

  #refuse(line: OversizedLine): void {
    const reply = replyToOversized(line, this.#command.maxResponseBytes);
    if (reply) {
      this.onmessage?.(reply);
      return;
    }
    this.#command.stderr.add(`(on stdout) a message of ${line.bytes} bytes was dropped`);
    void this.close();
  }
}
