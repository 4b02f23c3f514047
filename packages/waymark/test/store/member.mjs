// One Waymark process as the store sees it: does what its parent asks over IPC and answers.
import { openStore } from '../../dist/store/index.js';

/** @type {Awaited<ReturnType<typeof openStore>> | undefined} */
let store;
const clients = new Map();

const commands = {
  async open({ dataDirectory, url }) {
    store = await openStore({ dataDirectory, url });
    return { holder: store.role === 'holder' };
  },
  role: async () => store.role,
  async query({ text, values }) {
    const { rows } = await store.pool.query(text, values);
    return rows;
  },
  async begin({ name, text, values }) {
    const client = await store.pool.connect();
    client.on('error', () => {});
    clients.set(name, client);
    await client.query('begin');
    await client.query(text, values);
  },
  async inTransaction({ name, text, values }) {
    return (await clients.get(name).query(text, values)).rows;
  },
  async commit({ name }) {
    await clients.get(name).query('commit');
    clients.get(name).release();
  },
  async listen({ channel }) {
    await store.listen(channel, (payload) => process.send({ heard: payload }));
  },
  notify: async ({ channel, payload }) => store.notify(channel, payload),
  /** Adds numbered rows one after the other and says so after each, until it is killed. */
  async write({ from }) {
    for (let id = from; ; id++) {
      try {
        await store.transaction(async (transaction) => {
          await transaction
            .insertInto('ledger')
            .values({ id, body: String(id).repeat(50) })
            .execute();
          await transaction
            .updateTable('total')
            .set((e) => ({ count: e('count', '+', 1) }))
            .execute();
        });
        process.send({ wrote: id });
      } catch (error) {
        process.send({ failed: id, code: error.code, message: error.message });
      }
    }
  },
  close: async () => store.close(),
};

process.on('message', ({ id, command, ...parameters }) => {
  commands[command](parameters).then(
    (result) => process.send({ id, result: result ?? null }),
    (error) => process.send({ id, error: { code: error.code, message: error.message } }),
  );
});
process.on('disconnect', () => process.exit(0));
