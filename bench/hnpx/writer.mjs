// Adds fifty beats to the shared book, as one of several processes.
const product = new URL('../../packages/waymark/dist/', import.meta.url);
const { createRoots } = await import(new URL('kit/index.js', product).href);
const { createWorkshop } = await import(new URL('hnpx/workshop.js', product).href);
const { createBeat } = await import(new URL('hnpx/edit/create.js', product).href);

const workshop = createWorkshop({ roots: await createRoots([process.argv[2]]) });
const context = { user: { id: 'bench' }, signal: new AbortController().signal, clock: () => new Date(), log: console };
const { book } = await workshop.files.read('shared.hnpx');
const sequence = book.id(book.index.level.indexOf(2));
for (let made = 0; made < 50; made++) {
  await workshop.change({ tool: 'create_beat', file_path: 'shared.hnpx' }, context, (current, tools) =>
    createBeat(current, { parent_id: sequence, summary: 'Written by a bench process.' }, tools),
  );
}
