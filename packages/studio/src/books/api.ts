import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRefreshOn } from '../api/live.ts';
import { callForData, callTool, listResources } from '../api/mcp.ts';

const endpoint = '/mcp/hnpx';

export interface OutlineNode {
  readonly id: string;
  readonly type: 'book' | 'chapter' | 'sequence' | 'beat' | 'paragraph';
  readonly depth: number;
  readonly heading: string;
  readonly summary: string;
  readonly status: 'empty' | 'planned' | 'partial' | 'written';
  readonly words: number;
  readonly children: number;
}

export interface Snapshot {
  readonly id: string;
  readonly label?: string | null;
  readonly created_at?: string;
  readonly reason?: string;
}

/** The book files below the server's roots. */
export function useBooks() {
  return useQuery({
    queryKey: ['books'],
    queryFn: async () => {
      const resources = await listResources(endpoint);
      return resources.flatMap(({ uri }) => {
        const [, path] = /^hnpx:\/\/([^/]+)\/book$/.exec(uri) ?? [];
        return path === undefined ? [] : [decodeURIComponent(path)];
      });
    },
  });
}

function useBookQuery<T>(book: string, tool: string, args: Record<string, unknown>, enabled = true) {
  useRefreshOn(['book-changed'], ['book', book]);
  return useQuery({
    queryKey: ['book', book, tool, args],
    queryFn: () => callForData<T>(endpoint, tool, { file_path: book, ...args }),
    enabled,
    placeholderData: (before) => before,
  });
}

export function useOutline(book: string) {
  return useBookQuery<{ nodes: OutlineNode[]; revision: string }>(book, 'get_outline', { depth: 'paragraph' });
}

export function useSnapshots(book: string) {
  return useBookQuery<{ snapshots: Snapshot[] }>(book, 'list_snapshots', {});
}

/** A node and everything below it as reading text. */
export function useText(book: string, node: string) {
  useRefreshOn(['book-changed'], ['book', book]);
  return useQuery({
    queryKey: ['book', book, 'text', node],
    queryFn: async () => {
      const result = await callTool(endpoint, 'render_node', {
        file_path: book,
        node_id: node,
        show_ids: false,
        show_summaries: false,
        show_markers: false,
      });
      return result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    },
  });
}

/** Changes a book through its tools; every answer refreshes what is shown. */
export function useBookChange(book: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ tool, ...args }: { tool: string } & Record<string, unknown>) =>
      callForData<Record<string, unknown>>(endpoint, tool, { file_path: book, ...args }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['book', book] }),
    onError: (error: Error) => notifications.show({ color: 'red', title: 'Not changed', message: error.message }),
  });
}

export function nextToWrite(book: string): Promise<{ id: string; type: string; message: string } | null> {
  return callForData(endpoint, 'get_next_empty_container', { file_path: book });
}
