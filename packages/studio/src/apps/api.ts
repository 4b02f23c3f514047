import { useQuery } from '@tanstack/react-query';
import { listTools, readResource } from '../api/mcp.ts';

/** The page of an app, and the server's tools it may call. */
export function useApp(endpoint: string, uri: string) {
  return useQuery({
    queryKey: ['apps', endpoint, uri],
    queryFn: async () => {
      const [html, tools] = await Promise.all([readResource(endpoint, uri), listTools(endpoint)]);
      const callable = new Set(tools.filter((tool) => isForApps(tool._meta)).map(({ name }) => name));
      return { html, callable };
    },
    staleTime: Infinity,
  });
}

function isForApps(meta: Record<string, unknown> | undefined): boolean {
  const { visibility = ['model', 'app'] } = (meta?.['ui'] ?? {}) as { visibility?: readonly string[] };
  return visibility.includes('app');
}
