import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrame, FrameReader } from './frames.ts';
import {
  BatchSplitter,
  endingStatus,
  listenCommandOf,
  messagesOf,
  renameStatements,
  simpleQuery,
  sync,
} from './wire.ts';

function wireMessage(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)));
  const header = Buffer.alloc(5);
  header.write(type, 0, 'latin1');
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const name = fc.stringMatching(/^[a-zä_ ]{0,12}$/);
const extendedQuery = fc.tuple(name, name, fc.uint8Array({ maxLength: 40 })).map(([statement, portal, values]) => ({
  statement,
  portal,
  values: Buffer.from(values),
  bytes: batchOf(statement, portal, Buffer.from(values)),
}));

function batchOf(statement: string, portal: string, values: Buffer): Buffer {
  return Buffer.concat([
    wireMessage('P', statement, 'select $1', Buffer.alloc(2)),
    wireMessage('B', portal, statement, values),
    wireMessage('D', Buffer.from('P'), portal),
    wireMessage('E', portal, Buffer.alloc(4)),
    wireMessage('C', Buffer.from('S'), statement),
    sync,
  ]);
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

test('batches come out whole however the bytes arrive', () => {
  fc.assert(
    fc.property(
      fc.array(extendedQuery, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      (batches, places) => {
        const stream = Buffer.concat([...batches.map((batch) => batch.bytes), simpleQuery('commit')]);
        const splitter = new BatchSplitter();
        const found = cut(stream, places).flatMap((chunk) => splitter.push(chunk).map((batch) => Buffer.from(batch)));
        expect(found).toEqual([...batches.map((batch) => batch.bytes), simpleQuery('commit')]);
      },
    ),
  );
});

test('the startup packet is taken off however it arrives', () => {
  const startup = Buffer.concat([Buffer.from([0, 0, 0, 13]), Buffer.from('\0\u0003\0\0user\0')]);
  const splitter = new BatchSplitter();
  const taken = [...startup].map((byte) => splitter.takeStartup(Buffer.from([byte])));
  expect(taken.indexOf(true)).toBe(startup.length - 1);
  expect(splitter.push(sync)).toEqual([sync]);
});

test('renaming changes every name and nothing else', () => {
  fc.assert(
    fc.property(extendedQuery, ({ statement, portal, values, bytes }) => {
      const rename = (old: string) => `new-${old.length}-${old}`;
      const renamed = (old: string) => (old === '' ? '' : rename(old));
      expect(renameStatements(bytes, rename)).toEqual(batchOf(renamed(statement), renamed(portal), values));
    }),
  );
});

test('messages without names are passed on as they are', () => {
  const batch = Buffer.concat([wireMessage('P', '', 'select 1', Buffer.alloc(2)), sync]);
  expect(renameStatements(batch, () => 'other')).toBe(batch);
});

test.each([
  ['listen news', { action: 'listen', channel: 'news' }],
  ['  LISTEN "News ""of"" today" ; ', { action: 'listen', channel: 'News "of" today' }],
  ['unlisten News', { action: 'unlisten', channel: 'news' }],
  ['UNLISTEN *', { action: 'unlisten', channel: '*' }],
  ['select 1', undefined],
  ['update listen set x = 1', undefined],
  ['listen a; listen b', undefined],
])('%s is read as %j', (text, expected) => {
  const [found] = [...messagesOf(simpleQuery(text))].map(listenCommandOf);
  expect(found).toEqual(expected);
});

test('the status is that of the last message', () => {
  const rows = wireMessage('D', Buffer.from('Z\0\0\0\u0005T'));
  expect(endingStatus(Buffer.concat([rows, wireMessage('Z', Buffer.from('I'))]))).toBe('I');
  expect(endingStatus(Buffer.alloc(0))).toBeUndefined();
});

test('frames come out whole however the bytes arrive', () => {
  const kinds = fc.constantFrom('batch' as const, 'reply' as const, 'started' as const, 'notification' as const);
  const frames = fc.array(fc.tuple(kinds, fc.uint8Array({ maxLength: 300 })), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(frames, fc.array(fc.nat(), { maxLength: 30 }), (sent, places) => {
      const stream = Buffer.concat(sent.map(([kind, payload]) => encodeFrame(kind, Buffer.from(payload))));
      const reader = new FrameReader();
      const found = cut(stream, places).flatMap((chunk) => (chunk.length > 0 ? reader.push(chunk) : []));
      expect(found.map((frame) => [frame.kind, [...frame.payload]])).toEqual(
        sent.map(([kind, payload]) => [kind, [...payload]]),
      );
    }),
  );
});

test('a stranger cannot make the reader keep much', () => {
  expect(() => new FrameReader().push(Buffer.from([0x7f, 0xff, 0xff, 0xff, 4]))).toThrow('not a frame');
  expect(() => new FrameReader().push(Buffer.from('GET / HTTP/1.1\r\n'))).toThrow('not a frame');
});
