// The SDK alone behind node:http, with three tools that run the same SQL as Waymark's on a plain pool.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { listTasks } from '../../packages/waymark/dist/tasks/list-query.js';
import { openStore } from '../../packages/waymark/dist/store/index.js';
import { findTask, insertTask, replaceContent } from '../../packages/waymark/dist/tasks/task-store.js';

const { pool } = await openStore({ url: process.env.DATABASE_URL, dataDirectory: '/nonexistent' });
const db = { query: async (text, values) => (await pool.query(text, values)).rows };
const newId = () => randomBytes(18).toString('base64url');
const empty = {
  description: null,
  dueDate: null,
  priority: 'medium',
  completed: false,
  completedAt: null,
  labels: [],
  recurrence: null,
};

const tools = {
  add_task: {
    input: z.object({ user_id: z.string(), title: z.string() }),
    run: ({ user_id, title }) =>
      insertTask(db, `task_${newId()}`, { ...empty, title }, { userId: user_id, at: new Date(), batch: newId() }),
  },
  list_tasks: { input: z.object({ user_id: z.string() }), run: ({ user_id }) => listTasks(db, user_id, {}, 50) },
  complete_task: {
    input: z.object({ user_id: z.string(), task_id: z.string() }),
    async run({ user_id, task_id }) {
      const [task, at] = [await findTask(db, task_id), new Date()];
      return replaceContent(
        db,
        task,
        { ...task, completed: true, completedAt: at },
        { userId: user_id, at, batch: newId() },
      );
    },
  },
};

const handle = toNodeHandler(
  createMcpHandler(() => {
    const mcp = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
    mcp.setRequestHandler('tools/list', () => ({ tools: [] }));
    mcp.setRequestHandler('tools/call', async ({ params }) => {
      const { input, run } = tools[params.name];
      const structuredContent = { success: true, ...(await run(input.parse(params.arguments))) };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    });
    return mcp;
  }),
);
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => void handle(request, response, JSON.parse(body)));
});
server.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${server.address().port}`));
