/** What the server said instead of an answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, details: Record<string, unknown>) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** One request to Waymark's REST interface; refusals become `ApiError`. */
export async function request<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch(() => {
    throw new ApiError(0, 'OFFLINE', 'The server does not answer. Is waymark serve still running?', {});
  });
  if (response.status === 204) return undefined as T;
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.ok) return answer as T;
  if (response.status === 401) signIn();
  throw toApiError(response, answer);
}

/** The server wants to know who is there: sign in and come back to this very page. */
export function signIn(): void {
  location.assign(`/login?to=${encodeURIComponent(location.pathname + location.search)}`);
}

interface Refusal {
  readonly error?: string | { readonly code?: string | number; readonly message?: string };
  readonly message?: string;
}

/** The systems word their refusals differently; here they become one. */
function toApiError(response: Response, { error, message, ...details }: Refusal & Record<string, unknown>): ApiError {
  const nested = typeof error === 'object' ? error : { code: error, message };
  const code = nested.code ?? `HTTP_${response.status}`;
  return new ApiError(response.status, String(code), nested.message ?? message ?? response.statusText, details);
}

export const api = {
  get: <T>(path: string, signal?: AbortSignal) => request<T>('GET', path, undefined, signal),
  post: <T>(path: string, body: unknown = {}) => request<T>('POST', path, body),
  put: <T>(path: string, body: unknown) => request<T>('PUT', path, body),
  patch: <T>(path: string, body: unknown) => request<T>('PATCH', path, body),
  delete: <T>(path: string) => request<T>('DELETE', path),
};
