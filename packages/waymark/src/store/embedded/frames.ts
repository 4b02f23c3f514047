import type { Socket } from 'node:net';

/** What the holder of the store and a process that forwards to it say to each other. */
export const frameKinds = {
  /** Both: who they are. */
  hello: 1,
  proof: 2,
  /** Holder: the session is open. */
  ready: 3,
  /** Forwarder: a batch of wire messages. */
  batch: 4,
  /** Holder: the batch is about to run. */
  started: 5,
  /** Holder: one byte of status, then the answer. */
  reply: 6,
  notification: 7,
  /** Holder: why it will not serve. */
  refused: 8,
} as const;

export type FrameKind = keyof typeof frameKinds;

export interface Frame {
  readonly kind: FrameKind;
  readonly payload: Buffer;
}

const headerLength = 5;
const kindNames = new Map<number, FrameKind>(
  Object.entries(frameKinds).map(([name, number]) => [number, name as FrameKind]),
);

export function encodeFrame(kind: FrameKind, ...payload: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(headerLength);
  header.writeUInt32BE(
    payload.reduce((sum, part) => sum + part.length, 0),
    0,
  );
  header.writeUInt8(frameKinds[kind], 4);
  return Buffer.concat([header, ...payload]);
}

/** Cuts what arrives into frames. Strangers may say little before they are known: see `limit`. */
export class FrameReader {
  /** The longest payload accepted. */
  limit = 1024;
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const frames: Frame[] = [];
    for (let frame = this.#take(); frame; frame = this.#take()) frames.push(frame);
    return frames;
  }

  #take(): Frame | undefined {
    if (this.#length < headerLength) return undefined;
    let [bytes] = this.#chunks;
    if (!bytes || bytes.length < headerLength) bytes = this.#join();
    const length = bytes.readUInt32BE(0);
    const kind = kindNames.get(bytes.readUInt8(4));
    if (!kind || length > this.limit) throw new Error('not a frame of the store');
    const end = headerLength + length;
    if (this.#length < end) return undefined;
    if (bytes.length < end) bytes = this.#join();
    this.#chunks[0] = bytes.subarray(end);
    if (bytes.length === end) this.#chunks.shift();
    this.#length -= end;
    return { kind, payload: bytes.subarray(headerLength, end) };
  }

  /** Only when a frame is complete or its header is cut: joining at every chunk would be quadratic. */
  #join(): Buffer {
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}

/** Hands over to a socket and tells, once the operating system has it, whether that worked. */
export function deliver(socket: Socket, bytes: Buffer): boolean | Promise<boolean> {
  if (socket.destroyed) return false;
  const written = new Promise<boolean>((resolve) => {
    socket.write(bytes, (error) => resolve(!error));
  });
  return socket.writableLength === 0 ? true : written;
}
