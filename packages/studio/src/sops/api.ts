import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/http.ts';
import { useRefreshOn } from '../api/live.ts';
import type { ConversationRecord, Todo } from './conversation.ts';

export interface Step {
  readonly id: string;
  /** The shape it is drawn in: `rectangle`, `stadium`, `rhombus`, or another of mermaid's names. */
  readonly type: string;
  readonly description: string;
  readonly group?: string;
  readonly terminal: boolean;
  readonly line: number;
  readonly column: number;
}

export interface StepEdge {
  readonly from: string;
  readonly to: string;
  readonly condition: string | null;
  readonly style: 'normal' | 'dotted' | 'thick';
}

export interface StepPrompt {
  readonly prompt?: string;
  readonly tools?: readonly string[];
  readonly examples?: readonly { readonly user: string; readonly agent: string }[];
}

export interface Procedure {
  readonly agent: string;
  readonly version: string | null;
  readonly entry_node: string;
  readonly graph: { readonly node_count: number; readonly reentry_nodes?: readonly string[] };
  readonly nodes: readonly Step[];
  readonly edges: readonly StepEdge[];
  readonly prompts: Readonly<Record<string, StepPrompt>>;
}

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly col: number;
}

/** A file; with the procedure in it, unless it has errors. */
export interface ProcedureFile extends Partial<Procedure> {
  readonly file: string;
  readonly content_hash: string;
  readonly source: string;
  readonly problems: readonly Problem[];
}

export interface Coverage {
  readonly conversations: number;
  readonly moves: number;
  readonly refusals: number;
  readonly nodes: { readonly visited: number; readonly total: number; readonly missed: readonly string[] };
  readonly edges: { readonly visited: number; readonly total: number; readonly missed: readonly string[] };
  readonly visits: Readonly<Record<string, number>>;
}

export interface ConversationSummary {
  readonly conversation_id: string;
  readonly agent: string | null;
  readonly sop_file: string | null;
  readonly current_node: string | null;
  readonly complete: boolean;
  readonly moves: number;
  readonly refusals: number;
  readonly started_at: string;
  readonly last_used_at: string;
}

export interface Conversation {
  readonly conversation_id: string;
  readonly agent: string | null;
  readonly sop_file: string | null;
  readonly content_hash: string | null;
  readonly todos: readonly Todo[];
  readonly records: readonly ConversationRecord[];
  readonly procedure?: Procedure;
}

export interface Replay {
  readonly content_hash: string;
  readonly moves: number;
  readonly differences: readonly {
    readonly move: number;
    readonly from: string | null;
    readonly to: string;
    readonly before: 'allowed' | 'refused';
    readonly after: 'allowed' | 'refused';
    readonly reason?: string;
  }[];
}

export type Edit =
  | { readonly node: string; readonly label: string }
  | { readonly node: string; readonly prompt: string }
  | { readonly from: string; readonly to: string; readonly condition: string | null; readonly label: string | null };

const happenings = ['sop-loaded', 'sop-moved', 'sop-todos-changed', 'sop-fact-recorded', 'sop-tool-used'];

export function useProcedures() {
  return useQuery({
    queryKey: ['sop', 'files'],
    queryFn: ({ signal }) => api.get<{ files: { file: string; modified_at: string }[] }>('/api/sop/files', signal),
  });
}

export function useProcedure(file: string) {
  useRefreshOn(['sop-edited'], ['sop', 'file', file]);
  return useQuery({
    queryKey: ['sop', 'file', file],
    queryFn: ({ signal }) => api.get<ProcedureFile>(`/api/sop/file?${new URLSearchParams({ file })}`, signal),
  });
}

/** How much of a procedure your conversations have walked. */
export function useCoverage(file: string, enabled: boolean) {
  useRefreshOn(['sop-moved', 'sop-edited'], ['sop', 'coverage', file]);
  return useQuery({
    queryKey: ['sop', 'coverage', file],
    queryFn: ({ signal }) => api.get<Coverage>(`/api/sop/coverage?${new URLSearchParams({ file })}`, signal),
    enabled,
  });
}

export function useConversations() {
  useRefreshOn(happenings, ['sop', 'conversations']);
  return useQuery({
    queryKey: ['sop', 'conversations', 'list'],
    queryFn: ({ signal }) =>
      api.get<{ total: number; conversations: ConversationSummary[] }>('/api/sop/conversations', signal),
  });
}

export function useConversation(id: string) {
  useRefreshOn(happenings, ['sop', 'conversations']);
  return useQuery({
    queryKey: ['sop', 'conversations', id],
    queryFn: ({ signal }) => api.get<Conversation>(`/api/sop/conversations/${encodeURIComponent(id)}`, signal),
  });
}

/** The same moves, judged by the file as it is now. */
export function useReplay(id: string, file: string | null, records: number) {
  const query = new URLSearchParams({ file: file ?? '' });
  return useQuery({
    queryKey: ['sop', 'replay', id, file, records],
    queryFn: ({ signal }) =>
      api.get<Replay>(`/api/sop/conversations/${encodeURIComponent(id)}/replay?${query}`, signal),
    enabled: file !== null,
    retry: false,
    placeholderData: (before) => before,
  });
}

/** Changes a file where it was read; the rest of it stays byte for byte. */
export function useEdit(file: string, hash: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (edit: Edit) => api.post<ProcedureFile>('/api/sop/edit', { file, content_hash: hash, edits: [edit] }),
    onSuccess: () => notifications.show({ message: 'Saved', color: 'teal' }),
    onError: (error: Error) => notifications.show({ color: 'red', title: 'Not saved', message: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sop'] }),
  });
}
