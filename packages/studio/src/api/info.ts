import { useQuery } from '@tanstack/react-query';
import { api } from './http.ts';

export interface ServerInfo {
  readonly version: string;
  readonly auth: 'none' | 'embedded' | 'external';
  readonly model: string;
  readonly readOnly: boolean;
  readonly toolsets: readonly {
    readonly name: string;
    readonly title: string;
    readonly endpoint: string;
    readonly tools: readonly { readonly name: string; readonly tier: 'core' | 'more'; readonly readOnly: boolean }[];
  }[];
}

export function useServerInfo() {
  return useQuery({
    queryKey: ['info'],
    queryFn: ({ signal }) => api.get<ServerInfo>('/api/info', signal),
    staleTime: 60_000,
  });
}
