// An MCP server for tests, written by hand so that it can misbehave in ways a library would not allow.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const flags = process.argv.slice(2);
if (flags.includes('--refuse-start')) {
  process.stderr.write('cannot open the config\n');
  process.exit(1);
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
const cancelled = [];
const waiting = new Map();
let questions = 0;

const tools = {
  add: ({ a, b }) => ({ ...text({ sum: a + b }), structuredContent: { sum: a + b } }),
  echo: ({ value }) => text({ value }),
  say: ({ text: words }) => text(words),
  pid: () => text({ pid: process.pid }),
  env: ({ name }) => text({ value: process.env[name] ?? null }),
  environment: () => text({ names: Object.keys(process.env).sort() }),
  cwd: () => text({ cwd: process.cwd() }),
  cancelled: () => text({ cancelled: cancelled.length }),
  fail: () => ({ ...text('the disk is full'), isError: true }),
  garbage: () => 'this is no tool result',
  nothing: () => ({ content: [] }),
  media: () => ({
    content: [
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'text', text: 'a picture' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ],
  }),
  noise: () => {
    process.stdout.write('Welcome to the server!\n');
    return text({ ok: true });
  },
  huge: ({ bytes }) => text('x'.repeat(bytes)),
  die: () => {
    process.stderr.write('out of cheese\n');
    process.exit(3);
  },
  busy: () => {
    for (;;);
  },
  child: () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    return text({ pid: child.pid });
  },
  meta: (_args, meta) => text({ meta }),
  /** Leaves a line in a file: the witness of an effect. */
  note: ({ file, line }) => {
    appendFileSync(file, `${line}\n`);
    return text({ noted: line });
  },
};

function call({ id, params }) {
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  if (name === 'hang') return;
  if (name === 'refuse') return send({ id, error: { code: -32_602, message: 'no such thing', data: { field: 'x' } } });
  if (name === 'slow') {
    if (meta.progressToken !== undefined) {
      send({
        method: 'notifications/progress',
        params: { progressToken: meta.progressToken, progress: 1, total: 2, message: 'half' },
      });
    }
    waiting.set(
      id,
      setTimeout(() => send({ id, result: text({ slept: args.ms }) }), args.ms),
    );
    return;
  }
  if (name === 'ask') {
    const question = `q${++questions}`;
    waiting.set(question, (answer) => send({ id, result: text({ answer }) }));
    const requestedSchema = { type: 'object', properties: { colour: { type: 'string' } } };
    return send({ id: question, method: 'elicitation/create', params: { message: 'Which colour?', requestedSchema } });
  }
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!tool) return send({ id, error: { code: -32_602, message: `Unknown tool: ${name}` } });
  send({ id, result: tool(args, meta) });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'initialize') {
    if (flags.includes('--silent')) return;
    const result = {
      protocolVersion: message.params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'fault', version: '1.0.0' },
    };
    send({ id: message.id, result });
  } else if (message.method === 'ping') send({ id: message.id, result: {} });
  else if (message.method === 'tools/list') {
    const names = [...Object.keys(tools), 'hang', 'refuse', 'slow', 'ask'];
    const listed = names.map((name) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } }));
    const half = Math.ceil(listed.length / 2);
    const second = message.params?.cursor === 'second';
    send({
      id: message.id,
      result: second ? { tools: listed.slice(half) } : { tools: listed.slice(0, half), nextCursor: 'second' },
    });
  } else if (message.method === 'tools/call') call(message);
  else if (message.method === 'notifications/cancelled') {
    cancelled.push(message.params.requestId);
    clearTimeout(waiting.get(message.params.requestId));
  } else if (waiting.has(message.id)) waiting.get(message.id)(message.result ?? message.error);
});
process.stdin.on('end', () => {
  if (!flags.includes('--stubborn')) process.exit(0);
});
if (flags.includes('--stubborn')) {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
