import { Command } from 'commander';

export function createCommand(): Command {
  return new Command('doctor')
    .description('Check this machine, the data directory, the database, keys and ports, and say what to do.')
    .option('--config <file>', 'read settings from a file (default: waymark.yaml, if there is one)')
    .option('--data <dir>', 'directory of the embedded store')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExample:\n  $ waymark doctor --data ~/.waymark\n')
    .action(async (flags: { config?: string; data?: string; json?: boolean }) => {
      const [{ resolveConfig }, { examine }] = await Promise.all([
        import('./resolve-config.ts'),
        import('./examine.ts'),
      ]);
      const config = await resolveConfig(flags.config, flags.data ? { data: flags.data } : {});
      const findings = await examine(config);
      if (flags.json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
      else for (const finding of findings) process.stdout.write(renderFinding(finding));
      if (findings.some((finding) => finding.state === 'wrong')) process.exitCode = 1;
    });
}

function renderFinding({
  state,
  what,
  found,
  advice,
}: {
  state: string;
  what: string;
  found: string;
  advice?: string;
}): string {
  const mark = { fine: '✓', note: '•', wrong: '✗' }[state] ?? '?';
  return `${mark} ${what.padEnd(12)} ${found}${advice ? `\n  → ${advice}` : ''}\n`;
}
