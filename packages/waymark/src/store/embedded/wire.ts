/** The parts of Postgres' wire protocol that sharing one engine between sessions needs. */

export type TransactionStatus = 'I' | 'T' | 'E';

const headerLength = 5;

/** One message: its type letter, and its bytes with the header. */
export interface WireMessage {
  readonly type: string;
  readonly bytes: Buffer;
}

export function* messagesOf(bytes: Buffer): Generator<WireMessage> {
  for (let offset = 0; offset < bytes.length;) {
    const end = offset + 1 + bytes.readUInt32BE(offset + 1);
    yield { type: String.fromCharCode(bytes[offset] ?? 0), bytes: bytes.subarray(offset, end) };
    offset = end;
  }
}

/** Cuts a stream of frontend bytes into batches: what a client sends before it waits for an answer. */
export class BatchSplitter {
  #pending: Buffer = Buffer.alloc(0);
  #scanned = 0;

  /** The startup packet is the only message without a type letter. Returns false until it is complete. */
  takeStartup(chunk: Buffer): boolean {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    if (this.#pending.length < 4) return false;
    const length = this.#pending.readUInt32BE(0);
    if (this.#pending.length < length) return false;
    this.#pending = this.#pending.subarray(length);
    return true;
  }

  push(chunk: Buffer): Buffer[] {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const batches: Buffer[] = [];
    let start = 0;
    while (this.#scanned + headerLength <= this.#pending.length) {
      const end = this.#scanned + 1 + this.#pending.readUInt32BE(this.#scanned + 1);
      if (end > this.#pending.length) break;
      const type = String.fromCharCode(this.#pending[this.#scanned] ?? 0);
      this.#scanned = end;
      if (type === 'Q' || type === 'S' || type === 'H' || type === 'X') {
        batches.push(this.#pending.subarray(start, end));
        start = end;
      }
    }
    this.#pending = this.#pending.subarray(start);
    this.#scanned -= start;
    return batches;
  }
}

function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(headerLength);
  header.write(type, 0, 'latin1');
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const cstring = (text: string): Buffer => Buffer.from(`${text}\0`);

export const simpleQuery = (text: string): Buffer => message('Q', cstring(text));
export const closeStatement = (name: string): Buffer => message('C', cstring(`S${name}`));
export const sync: Buffer = message('S', Buffer.alloc(0));

/** What a server says to a client it lets in. */
export function greeting(parameters: Readonly<Record<string, string>>): Buffer {
  const settings = Object.entries(parameters).map(([name, value]) => message('S', cstring(`${name}\0${value}`)));
  return Buffer.concat([
    message('R', Buffer.alloc(4)),
    ...settings,
    message('K', Buffer.alloc(8)),
    message('Z', Buffer.from('I')),
  ]);
}

/** The status in the ReadyForQuery that ends an answer; undefined when the answer does not end with one. */
export function endingStatus(answer: Buffer): TransactionStatus | undefined {
  const start = answer.length - headerLength - 1;
  if (start < 0 || answer[start] !== 0x5a || answer.readUInt32BE(start + 1) !== 5) return undefined;
  return String.fromCharCode(answer[start + headerLength] ?? 0) as TransactionStatus;
}

export function channelOfNotification(notification: Buffer): string {
  const start = headerLength + 4;
  return notification.toString('utf8', start, notification.indexOf(0, start));
}

/** Where a message names a prepared statement or portal: `[start, end)` of each name, without the zero byte. */
function nameRanges({ type, bytes }: WireMessage): [number, number][] {
  const at = (start: number): [number, number] => [start, bytes.indexOf(0, start)];
  switch (type) {
    case 'P':
      return [at(headerLength)];
    case 'B': {
      const portal = at(headerLength);
      return [portal, at(portal[1] + 1)];
    }
    case 'D':
    case 'C':
      return [at(headerLength + 1)];
    case 'E':
      return [at(headerLength)];
    default:
      return [];
  }
}

/** The same messages with every statement and portal renamed; the very same bytes when all are unnamed. */
export function renameStatements(batch: Buffer, rename: (name: string) => string): Buffer {
  let changed = false;
  const parts: Buffer[] = [];
  for (const wireMessage of messagesOf(batch)) {
    const ranges = nameRanges(wireMessage).filter(([start, end]) => end > start);
    if (ranges.length === 0) {
      parts.push(wireMessage.bytes);
      continue;
    }
    changed = true;
    const body: Buffer[] = [];
    let offset = headerLength;
    for (const [start, end] of ranges) {
      body.push(wireMessage.bytes.subarray(offset, start));
      body.push(Buffer.from(rename(wireMessage.bytes.toString('utf8', start, end))));
      offset = end;
    }
    body.push(wireMessage.bytes.subarray(offset));
    parts.push(message(wireMessage.type, Buffer.concat(body)));
  }
  return changed ? Buffer.concat(parts) : batch;
}

/** The name a Parse message gives to its statement; empty for the unnamed one. */
export function parsedStatementName({ bytes }: WireMessage): string {
  return bytes.toString('utf8', headerLength, bytes.indexOf(0, headerLength));
}

const listenStatement = /^\s*(listen|unlisten)\s+("(?:[^"]|"")+"|[a-z_]\w*|\*)\s*;?\s*$/i;

export interface ListenCommand {
  readonly action: 'listen' | 'unlisten';
  /** The channel; `*` is all of them. */
  readonly channel: string;
}

/** The LISTEN or UNLISTEN a message carries, if that is what it is. */
export function listenCommandOf(wireMessage: WireMessage): ListenCommand | undefined {
  const { type, bytes } = wireMessage;
  if (type !== 'Q' && type !== 'P') return undefined;
  const start = type === 'Q' ? headerLength : bytes.indexOf(0, headerLength) + 1;
  // `l`, `u` or a space: everything else is not worth decoding.
  if (!/[lu\s]/i.test(String.fromCharCode(bytes[start] ?? 0))) return undefined;
  const found = listenStatement.exec(bytes.toString('utf8', start, bytes.indexOf(0, start)));
  if (!found?.[1] || !found[2]) return undefined;
  const name = found[2];
  return {
    action: found[1].toLowerCase() as ListenCommand['action'],
    channel: name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase(),
  };
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
