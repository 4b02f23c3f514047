import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startServe, temporaryDirectory, waymark } from './waymark.test-helpers.ts';

describe('a stranger at the command line', () => {
  test('gets help with examples', async () => {
    for (const args of [['--help'], ['serve', '--help'], ['mcp', '--help'], ['doctor', '--help'], []]) {
      const { code, stdout } = await waymark(args);
      expect(code).toBe(0);
      expect(stdout).toContain('Usage: waymark');
      expect(stdout).toMatch(/Examples?:/);
    }
  });

  test('gets the version', async () => {
    expect((await waymark(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    [['srve'], 'Unknown command "srve". Did you mean "serve"?'],
    [['serve', '--prot', '1'], "unknown option '--prot'. Did you mean --port?"],
    [['serve', '--port', 'http'], 'A port is a whole number from 0 to 65535.'],
    [['serve', '--port', '70000'], 'A port is a whole number from 0 to 65535.'],
    [['serve', '--toolsets', 'taks'], 'Unknown toolset "taks"; did you mean "tasks"?'],
    [['serve', '--root', 'nowhere'], 'nowhere: no such directory'],
    [['serve', '--graph', 'nowhere.yaml'], 'nowhere.yaml: no such file'],
    [['serve', '--config', 'nowhere.yaml'], 'nowhere.yaml: no such file'],
    [['serve', '--host', '0.0.0.0', '--port', '0'], 'Refusing to listen on 0.0.0.0 without authentication.'],
    [['serve', 'now'], "too many arguments for 'serve'"],
    [['mcp', 'sopp'], 'Unknown toolset "sopp"; did you mean "sop"?'],
    [['mcp', 'sop', '--gate', 'shut'], 'Allowed choices are off, warn, enforce.'],
    [['serve', '--sop-urls', 'all'], 'Allowed choices are off, https, loopback.'],
    [['mcp', 'config', '--client', 'emacs'], 'Allowed choices are claude'],
  ])('%j is answered in one line, with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await waymark(args);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toMatch(/ {4}at /);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test.each([
    ['claude', 'mcpServers'],
    ['cursor', 'mcpServers'],
    ['vscode', 'servers'],
    ['zed', 'context_servers'],
  ])('gets ready JSON for %s', async (client, key) => {
    const { stdout, code } = await waymark(['mcp', 'config', '--client', client, '--toolsets', 'sop']);
    expect(code).toBe(0);
    const { waymark: entry } =
      (JSON.parse(stdout) as Record<string, Record<string, { command: string; args: string[] }>>)[key] ?? {};
    expect(entry?.args).toContain('sop');
    const { stdout: remote } = await waymark([
      'mcp',
      'config',
      '--client',
      client,
      '--url',
      'http://127.0.0.1:4840/mcp',
    ]);
    expect(remote).toContain('"url": "http://127.0.0.1:4840/mcp"');
  });

  test('gets TOML for codex', async () => {
    const { stdout } = await waymark(['mcp', 'config', '--client', 'codex']);
    expect(stdout).toMatch(/^\[mcp_servers\.waymark]\ncommand = "/);
  });
});

describe('waymark.yaml', () => {
  async function serveWith(yaml: string, env: Record<string, string> = {}) {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, 'waymark.yaml'), yaml);
    return waymark(['serve', '--port', '0'], { cwd, env });
  }

  test.each([
    ['host: "0.0.0.0"\nprot: 1\n', 'waymark.yaml:2:1 unknown key "prot"; did you mean "port"?'],
    ['limits:\n  maxBatch: many\n', 'waymark.yaml:2:13 limits.maxBatch: Invalid input'],
    ['limits:\n  maxBatsh: 3\n', 'waymark.yaml:2:3 unknown key "limits.maxBatsh"; did you mean "maxBatch"?'],
    ['port: [1\n', 'waymark.yaml:2:1'],
    ['model: ${NOT_SET_ANYWHERE}\n', 'waymark.yaml:1:8 model: the variable NOT_SET_ANYWHERE is not set'],
  ])('%j is refused with its place', async (yaml, message) => {
    const { code, stderr } = await serveWith(yaml);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('takes variables and defaults', async () => {
    const { stderr } = await serveWith('host: ${HOST_TO_USE:-0.0.0.0}\n', {});
    expect(stderr).toContain('Refusing to listen on 0.0.0.0');
    const other = await serveWith('host: ${HOST_TO_USE:-0.0.0.0}\n', { HOST_TO_USE: '0.0.0.1' });
    expect(other.stderr).toContain('Refusing to listen on 0.0.0.1');
  });
});

describe('waymark serve', () => {
  test('says when it is ready, answers, and ends cleanly on Ctrl-C', async () => {
    const data = await temporaryDirectory();
    const { url, child, ended } = await startServe(['--data', data, '--toolsets', 'hnpx']);
    const health = (await (await fetch(new URL('/healthz', url))).json()) as Record<string, unknown>;
    expect(health).toMatchObject({ status: 'ok', toolsets: ['hnpx'] });
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout).toBe(`Waymark ready at ${url.origin}\n`);
  });

  test('says when the port is taken', async () => {
    const holder = createServer();
    const port = await new Promise<number>((resolve) => {
      holder.listen(0, '127.0.0.1', () => resolve((holder.address() as { port: number }).port));
    });
    const { code, stderr } = await waymark(['serve', '--port', String(port), '--data', await temporaryDirectory()]);
    holder.close();
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use. Choose another with --port`);
    expect(code).toBe(2);
  });
});

describe('waymark doctor', () => {
  test('finds nothing wrong here and says what to do where something is', async () => {
    const data = await temporaryDirectory();
    const fine = await waymark(['doctor', '--data', data]);
    expect(fine.stdout).toContain('✓ database     embedded Postgres');
    expect(fine.code).toBe(0);
    const wrong = await waymark(['doctor', '--json', '--data', data], {
      env: {
        DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none',
        WAYMARK_MODEL: 'openai/gpt-5',
        OPENAI_API_KEY: '',
      },
    });
    expect(wrong.code).toBe(1);
    const findings = JSON.parse(wrong.stdout) as { what: string; state: string; advice?: string }[];
    expect(findings.filter((finding) => finding.state === 'wrong').map((finding) => finding.what)).toEqual([
      'database',
      'model',
    ]);
    expect(wrong.stdout).not.toContain('secret');
  });

  test('names a data directory that cannot be written', async () => {
    const parent = await temporaryDirectory();
    const file = join(parent, 'occupied');
    await writeFile(file, 'not a directory');
    await chmod(file, 0o600);
    const { code, stdout } = await waymark(['doctor', '--data', file]);
    expect(stdout).toContain(`✗ data         ${file} cannot be written`);
    expect(code).toBe(1);
  });
});
