import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/http.ts';
import type { Schema } from '../forms/schema.ts';

export interface OutlineNode {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly line: number;
  readonly detail?: string;
  readonly parent?: string;
}

export interface OutlineEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly label?: string;
}

export interface ToolOutline {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly nodes: readonly OutlineNode[];
  readonly edges: readonly OutlineEdge[];
}

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly node?: string;
}

export interface GraphSummary {
  readonly name: string;
  readonly revision: string;
  readonly endpoint: string;
  readonly stale: boolean;
  readonly problems: readonly Problem[];
  readonly tools: readonly { readonly name: string; readonly title: string; readonly description: string }[];
}

export interface Graph extends Omit<GraphSummary, 'tools'> {
  readonly text: string;
  readonly tools: readonly ToolOutline[];
}

export interface CheckResult {
  readonly ok: boolean;
  readonly problems: readonly Problem[];
  readonly tools?: readonly ToolOutline[];
}

export function useGraphs() {
  return useQuery({
    queryKey: ['graphs'],
    queryFn: ({ signal }) => api.get<{ graphs: GraphSummary[] }>('/api/graphs', signal),
  });
}

export function useGraph(name: string) {
  return useQuery({
    queryKey: ['graphs', name],
    queryFn: ({ signal }) => api.get<Graph>(`/api/graphs/${encodeURIComponent(name)}`, signal),
  });
}

/** What is wrong with a text, and how it would look; nothing is written. */
export function useCheck(name: string, text: string, enabled: boolean) {
  return useQuery({
    queryKey: ['graph-check', name, text],
    queryFn: () => api.post<CheckResult>(`/api/graphs/${encodeURIComponent(name)}/check`, { text }),
    enabled,
    placeholderData: (before) => before,
    staleTime: Infinity,
  });
}

export function useSave(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { text: string; revision: string }) =>
      api.put<Graph>(`/api/graphs/${encodeURIComponent(name)}`, body),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['graphs'] }),
  });
}

export function useStartRun(graph: string) {
  return useMutation({
    mutationFn: (body: {
      tool: string;
      arguments: Record<string, unknown>;
      startPaused?: boolean;
      breakpoints?: { node: string; condition?: string }[];
    }) => api.post<{ run: string }>(`/api/graphs/${encodeURIComponent(graph)}/runs`, body),
  });
}
