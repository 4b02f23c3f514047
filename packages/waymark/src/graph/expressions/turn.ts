/**
 * Lets one JSONata evaluation work at a time. They share one thread anyway, so nothing is lost, and
 * the time an evaluation is allowed is then its own and not that of others it was interleaved with.
 * After a burst the event loop gets its turn, so that timers, sockets and cancellations are served.
 */
const waiting: (() => void)[] = [];
const burstMs = 10;
let busy = false;
let burstStarted = 0;

export async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  if (busy) await new Promise<void>((resolve) => waiting.push(resolve));
  else burstStarted = performance.now();
  busy = true;
  try {
    return await work();
  } finally {
    passOn();
  }
}

function passOn(): void {
  const next = waiting.shift();
  if (!next) {
    busy = false;
  } else if (performance.now() - burstStarted < burstMs) {
    next();
  } else {
    setImmediate(() => {
      burstStarted = performance.now();
      next();
    });
  }
}
