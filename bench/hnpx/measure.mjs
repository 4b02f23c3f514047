// One process per book size, so that the cold open is cold and the memory is its own. Prints one JSON line.
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const [megabytes, directory] = [Number(process.argv[2]), process.argv[3]];
const product = new URL('../../packages/waymark/dist/', import.meta.url);
const { createRoots } = await import(new URL('kit/index.js', product).href);
const { createWorkshop } = await import(new URL('hnpx/workshop.js', product).href);
const { createParagraph } = await import(new URL('hnpx/edit/create.js', product).href);
const { nextEmpty } = await import(new URL('hnpx/read/next-empty.js', product).href);
const { nodeXml } = await import(new URL('hnpx/read/node-xml.js', product).href);
const { renderDocument } = await import(new URL('hnpx/read/render.js', product).href);

const workshop = createWorkshop({ roots: await createRoots([directory]) });
const context = { user: { id: 'bench' }, signal: new AbortController().signal, clock: () => new Date(), log: console };
const file = `book-${megabytes}.hnpx`;

async function timed(rounds, work) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  times.sort((left, right) => left - right);
  return { min: times[0], median: times[Math.floor(times.length / 2)] };
}

const cold = await timed(1, () => workshop.files.read(file));
const { book } = await workshop.files.read(file);
const beats = Array.from({ length: book.count }, (_, row) => row).filter((row) => book.index.level[row] === 3);
const middle = book.id(beats[Math.floor(beats.length / 2)]);
const paragraph = book.id(book.require(middle) + 1);

function rawWrite(bytes) {
  const target = join(directory, 'raw.bin');
  const temporary = `${target}.tmp`;
  const descriptor = openSync(temporary, 'w');
  writeSync(descriptor, bytes);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(temporary, target);
  const parent = openSync(directory, 'r');
  fsyncSync(parent);
  closeSync(parent);
}

const create = () =>
  workshop.change({ tool: 'create_paragraph', file_path: file }, context, (current, tools) =>
    createParagraph(
      current,
      { parent_id: middle, summary: 'A summary.', text: 'Some words of a new paragraph. '.repeat(8) },
      tools,
    ),
  );
// Raw writes and creates alternate, so that both see the same disk and the same neighbours.
const rounds = megabytes >= 10 ? 15 : 40;
await timed(5, create);
rawWrite(book.bytes);
const raws = [];
const creates = [];
for (let round = 0; round < rounds; round++) {
  raws.push((await timed(1, () => rawWrite(book.bytes))).min);
  creates.push((await timed(1, create)).min);
}
const summary = (times) => {
  const sorted = times.toSorted((left, right) => left - right);
  return { min: sorted[0], median: sorted[Math.floor(sorted.length / 2)] };
};

const current = await workshop.files.read(file);
const result = {
  megabytes,
  nodes: current.book.count,
  cold_open_ms: cold.min,
  raw_write_ms: summary(raws),
  create_paragraph_ms: summary(creates),
  get_next_empty_ms: await timed(200, async () => nextEmpty((await workshop.files.read(file)).book)),
  get_node_ms: await timed(500, async () => {
    const { book: now } = await workshop.files.read(file);
    nodeXml(now, now.require(paragraph));
  }),
  render_document_ms: await timed(15, async () => renderDocument((await workshop.files.read(file)).book)),
  rss_mb: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(result));
