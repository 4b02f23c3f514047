import { type Command, Option } from 'commander';
import type { Config, ConfigInput } from '../server/config.ts';

export interface SopFlags {
  readonly sopUrls?: Config['sop']['urls'] | undefined;
  readonly gate?: Config['sop']['gate'] | undefined;
  readonly navigation?: Config['sop']['navigation'] | undefined;
}

/** The rules for procedures that do not set their own. */
export function withSopOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--sop-urls <which>', 'procedures from URLs (default: https)').choices(['off', 'https', 'loopback']),
    )
    .addOption(
      new Option('--gate <mode>', 'tools of named procedures away from their nodes (default: off)').choices([
        'off',
        'warn',
        'enforce',
      ]),
    )
    .addOption(
      new Option('--navigation <rules>', 'how moves in procedures are decided (default: strict)').choices([
        'strict',
        'spec',
      ]),
    );
}

export function sopConfigOf({ sopUrls, gate, navigation }: SopFlags): NonNullable<ConfigInput['sop']> {
  return {
    ...(sopUrls ? { urls: sopUrls } : {}),
    ...(gate ? { gate } : {}),
    ...(navigation ? { navigation } : {}),
  };
}
