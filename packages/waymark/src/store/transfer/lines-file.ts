import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Line, parseLine } from './format.ts';

/** Writes lines to a file (compressed when its name ends in .gz), or to standard output for `-`. */
export async function writeLines(path: string, lines: AsyncIterable<Line>): Promise<void> {
  const text = Readable.from(encode(lines));
  if (path === '-') return pipeline(text, process.stdout, { end: false });
  // Whole or not at all, and for nobody else to read: it holds everybody's data.
  const unfinished = `${path}.unfinished`;
  try {
    const compress = path.endsWith('.gz') ? createGzip() : new PassThrough();
    await pipeline(text, compress, createWriteStream(unfinished, { mode: 0o600, flush: true }));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Reads lines from a file, compressed or not, or from standard input for `-`. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  const source: Readable = path === '-' ? process.stdin : createReadStream(path);
  const [first, rest] = await peek(source);
  const isCompressed = first[0] === 0x1f && first[1] === 0x8b;
  const text = isCompressed ? Readable.from(rest).pipe(createGunzip()) : Readable.from(rest);
  let number = 0;
  for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line !== '') yield parseLine(line, number);
  }
}

async function* encode(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${JSON.stringify(line)}\n`;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk) yield chunk;
}

async function peek(source: Readable): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { value, done } = await chunks.next();
  const first = done ? Buffer.alloc(0) : (value as Buffer);
  const all = async function* (): AsyncGenerator<Buffer> {
    yield first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  };
  return [first, all()];
}
