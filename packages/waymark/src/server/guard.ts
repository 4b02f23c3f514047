import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';

/** Which `Host` and `Origin` a request may carry. Both are checked on every route, against DNS rebinding. */
export interface Guard {
  /** The reason to refuse, or undefined to let the request pass. */
  refusal(headers: { host?: string | undefined; origin?: string | undefined }): string | undefined;
}

export interface GuardOptions {
  readonly host: string;
  readonly publicUrl?: URL | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
}

export function createGuard(options: GuardOptions): Guard {
  const publicHosts = options.publicUrl ? [options.publicUrl.hostname] : [];
  const loopback = isLoopback(options.host);
  const hosts = [
    ...(loopback ? localhostAllowedHostnames() : [options.host]),
    ...publicHosts,
    ...(options.allowedHosts ?? []),
  ];
  const origins = [...(loopback ? localhostAllowedOrigins() : []), ...publicHosts, ...(options.allowedOrigins ?? [])];
  return {
    refusal({ host, origin }) {
      const hostCheck = validateHostHeader(host, hosts);
      if (!hostCheck.ok) return hostCheck.message;
      const originCheck = validateOriginHeader(origin, origins);
      return originCheck.ok ? undefined : originCheck.message;
    },
  };
}

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare);
}
