import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from './cli-error.ts';

/** A password: typed without being shown, or the first line of a pipe. */
export async function readPassword(): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) {
    const lines = createInterface({ input: stdin });
    for await (const line of lines) return line;
    throw new CliError('No password came on standard input', 2);
  }
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true });
  const ask = async (prompt: string) => {
    stderr.write(prompt);
    const answer = await terminal.question('');
    stderr.write('\n');
    return answer;
  };
  try {
    const password = await ask('Password: ');
    if ((await ask('Again: ')) !== password) throw new CliError('The two were not the same', 2);
    return password;
  } finally {
    terminal.close();
  }
}
