import { nearest } from '../../kit/index.ts';
import { graphAnswer, nodeAnswer } from '../../sop/answers.ts';
import { CliError } from '../cli-error.ts';
import { readSop } from './read-file.ts';

export async function showSop(file: string, node: string | undefined, flags: { json?: boolean }): Promise<void> {
  const sop = await readSop(file);
  if (node !== undefined) {
    if (!sop.nodes.has(node)) {
      const suggestion = nearest(node, sop.nodes.keys());
      throw new CliError(`${file} has no node ${node}${suggestion ? `; did you mean ${suggestion}?` : ''}`, 2);
    }
    process.stdout.write(`${JSON.stringify(nodeAnswer(sop, node), null, 2)}\n`);
    return;
  }
  process.stdout.write(flags.json ? `${JSON.stringify(graphAnswer(sop), null, 2)}\n` : `${sop.systemPrompt}\n`);
}
