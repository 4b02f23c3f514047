import { untilSignal } from '../until-signal.ts';

/** Resolves when the client closes our input, or at a signal. */
export async function untilDone(): Promise<void> {
  const inputEnded = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  await Promise.race([inputEnded, untilSignal()]);
}
