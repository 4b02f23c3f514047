import { type BigIntStats, statSync } from 'node:fs';

/** What changes when a file is replaced or written to. */
export interface FileSignature {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly modified: bigint;
  readonly changed: bigint;
}

export function statFile(path: string): BigIntStats {
  return statSync(path, { bigint: true });
}

export function signatureOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileSignature {
  return { device: dev, inode: ino, size, modified: mtimeNs, changed: ctimeNs };
}

export function isSameFile(left: FileSignature, right: FileSignature): boolean {
  return (
    left.inode === right.inode &&
    left.modified === right.modified &&
    left.changed === right.changed &&
    left.size === right.size &&
    left.device === right.device
  );
}

const millisecond = 1_000_000n;

/** Whether another write could still get the same time stamps: then only the bytes tell files apart. */
export function isYoung({ modified, changed }: FileSignature, nowMs: number): boolean {
  const latest = modified > changed ? modified : changed;
  // File systems that count in whole seconds or milliseconds are the ones with coarse stamps.
  const grain = modified % millisecond === 0n ? 2000n : 20n;
  return BigInt(nowMs) * millisecond - latest < grain * millisecond;
}
