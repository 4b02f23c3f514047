import { join, resolve } from 'node:path';
import { silentLogger } from '../../kit/index.ts';
import { createFileLog } from '../../sop/conversation-files.ts';
import type { ConversationLog } from '../../sop/conversation-log.ts';
import { replayRecords } from '../../sop/conversation.ts';
import { CoverageCounter, ratio } from '../../sop/coverage.ts';
import { replayConversation } from '../../sop/replay.ts';
import { CliError } from '../cli-error.ts';
import type { RecordFlags } from '../sop.ts';
import { readSop } from './read-file.ts';

export async function listConversations(flags: RecordFlags): Promise<void> {
  const log = openLog(flags);
  const entries = await log.list(flags.user);
  const rows = await Promise.all(
    entries.map(async ({ id, startedAt, lastUsedAt }) => {
      const conversation = replayRecords(id, (await log.read(id)) ?? []);
      const walk = conversation?.walks.get(conversation.agent ?? '');
      return { id, startedAt, lastUsedAt, agent: walk?.agent ?? null, node: walk?.path.at(-1) ?? null };
    }),
  );
  if (flags.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else
    for (const row of rows)
      process.stdout.write(`${row.id}  ${row.lastUsedAt}  ${row.agent ?? '-'}  ${row.node ?? '-'}\n`);
}

export async function replayFile(file: string, ids: readonly string[], flags: RecordFlags): Promise<void> {
  const sop = await readSop(file);
  const log = openLog(flags);
  const wanted = ids.length > 0 ? ids : (await log.list(flags.user)).map(({ id }) => id);
  const replays = [];
  for (const id of wanted) {
    const records = await log.read(id);
    const isTheirs = records?.[0]?.type === 'started' && records[0].user === flags.user;
    if (!records || !isTheirs) throw new CliError(`There is no conversation ${id} of ${flags.user}`, 2);
    const replay = replayConversation(sop, records, 'strict');
    if (replay.moves > 0) replays.push({ id, ...replay });
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(replays, null, 2)}\n`);
  for (const { id, moves, differences } of flags.json ? [] : replays) {
    process.stdout.write(`${id}: ${differences.length} of ${moves} moves differ\n`);
    for (const { move, from, to, before, after, reason } of differences) {
      process.stdout.write(
        `  ${move}. ${from ?? '(start)'} → ${to}: ${before} then, ${after} now${reason ? ` (${reason})` : ''}\n`,
      );
    }
  }
  if (replays.some(({ differences }) => differences.some(({ after }) => after === 'refused'))) process.exitCode = 1;
}

export async function coverFile(file: string, flags: RecordFlags): Promise<void> {
  const sop = await readSop(file);
  const log = openLog(flags);
  const counter = new CoverageCounter(sop);
  for (const { id } of await log.list(flags.user)) counter.addConversation((await log.read(id)) ?? []);
  const coverage = counter.result();
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(coverage, null, 2)}\n`);
    return;
  }
  const { conversations, moves, refusals, nodes, edges } = coverage;
  process.stdout.write(`${conversations} conversations, ${moves} moves, ${refusals} refused\n`);
  process.stdout.write(`nodes ${ratio(nodes)}, edges ${ratio(edges)}\n`);
  if (nodes.missed.length > 0) process.stdout.write(`not visited: ${nodes.missed.join(', ')}\n`);
  if (edges.missed.length > 0) process.stdout.write(`not taken: ${edges.missed.join(', ')}\n`);
}

function openLog(flags: RecordFlags): ConversationLog {
  const data = resolve(flags.data ?? process.env['WAYMARK_DATA'] ?? '.waymark');
  return createFileLog(join(data, 'sop'), silentLogger);
}
