import { type Host, refuse as refuseCall, ToolError } from '../kit/index.ts';
import { type Rate, RateLimiter } from './limits.ts';

export interface CallPolicyOptions {
  /** How long a single call may take. */
  readonly callTimeoutMs: number;
  /** Calls of one user under way at once. */
  readonly maxConcurrentCalls: number;
  /** Calls per user and tool; undefined for no limit. */
  readonly perTool?: Rate | undefined;
  readonly now: () => number;
}

type AroundCall = Host['aroundCall'];

/** Time, concurrency and rate of tool calls. What is over a limit is refused in the toolset's own error shape. */
export function createCallPolicy(options: CallPolicyOptions): AroundCall {
  const limiter = options.perTool && new RateLimiter(options.perTool, options.now);
  const running = new Map<string, number>();

  return async (entry, context, next) => {
    const { toolset, tool } = entry;
    const refuse = (error: ToolError) => refuseCall(toolset, tool, error, context);
    const userId = context.user.id;

    const waitMs = limiter?.take(`${userId} ${tool.name}`) ?? 0;
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      return refuse(
        new ToolError('RATE_LIMITED', `Too many calls of ${tool.name}; try again in ${seconds} s`, {
          retry_after_ms: waitMs,
        }),
      );
    }
    const active = running.get(userId) ?? 0;
    if (active >= options.maxConcurrentCalls) {
      return refuse(
        new ToolError('BUSY', `${active} calls are under way already; try again when one has ended`, {
          retry_after_ms: 1000,
        }),
      );
    }

    running.set(userId, active + 1);
    const deadline = startDeadline(context.signal, options.callTimeoutMs);
    try {
      const call = next({ ...context, signal: deadline.signal });
      const outcome = await Promise.race([call, deadline.expired]);
      if (outcome !== 'expired') return outcome;
      call.catch(() => {});
      return refuse(
        new ToolError('TIMEOUT', `${tool.name} took longer than ${options.callTimeoutMs / 1000} s and was stopped`),
      );
    } finally {
      deadline.clear();
      const left = (running.get(userId) ?? 1) - 1;
      if (left > 0) running.set(userId, left);
      else running.delete(userId);
    }
  };
}

/** A signal that follows another and also ends with the time. Much cheaper per call than `AbortSignal.any`. */
function startDeadline(outer: AbortSignal, milliseconds: number) {
  const controller = new AbortController();
  const follow = () => controller.abort(outer.reason);
  if (outer.aborted) follow();
  else outer.addEventListener('abort', follow, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<'expired'>((resolve) => {
    timer = setTimeout(() => {
      controller.abort(new DOMException('The call took too long', 'TimeoutError'));
      resolve('expired');
    }, milliseconds);
  });
  return {
    signal: controller.signal,
    expired,
    clear() {
      clearTimeout(timer);
      outer.removeEventListener('abort', follow);
    },
  };
}
