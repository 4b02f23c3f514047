import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/http.ts';
import { useRefreshOn } from '../api/live.ts';
import { type CallToolResult, callTool } from '../api/mcp.ts';

export const endpoint = '/mcp/sage';

export interface Progress {
  readonly activeOutcome: {
    readonly description: string;
    readonly progress: number;
    readonly conceptsRequired: number;
    readonly conceptsProven: number;
  } | null;
  readonly stats: {
    readonly totalSessions: number;
    readonly totalProofs: number;
    readonly totalConcepts: number;
    readonly streakDays: number;
  };
  readonly proofs: readonly {
    readonly id: string;
    readonly displayName: string;
    readonly demonstrationType: string;
    readonly confidence: number;
    readonly earnedAt: string;
    readonly reviewDueAt: string;
  }[];
  readonly dueReviews: readonly { readonly concept: string; readonly displayName: string }[];
  readonly pendingFollowups: readonly { readonly id: string; readonly context: string }[];
}

export interface KnowledgeNode {
  readonly id: string;
  readonly type: 'outcome' | 'concept';
  readonly label: string;
  readonly data: {
    readonly status?: string;
    readonly summary?: string | null;
    readonly proven?: boolean;
    readonly proofs?: number;
  };
}

export interface Knowledge {
  readonly nodes: readonly KnowledgeNode[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly type: string }[];
  readonly provenConcepts: number;
}

export interface Session {
  readonly id: string;
  readonly goal: string | null;
  readonly mode: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly message_count: number;
}

export interface SessionWithMessages extends Session {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly sageRole: string;
  readonly description: string;
  readonly difficulty: string;
}

function useSageQuery<T>(key: readonly unknown[], path: string) {
  useRefreshOn(['sage-changed'], ['sage']);
  return useQuery({ queryKey: ['sage', ...key], queryFn: ({ signal }) => api.get<T>(path, signal) });
}

export const useProgress = () => useSageQuery<Progress>(['progress'], '/api/learners/me/state');
export const useKnowledge = () => useSageQuery<Knowledge>(['graph'], '/api/learners/me/graph');
export const useSessions = () => useSageQuery<{ sessions: Session[] }>(['sessions'], '/api/sessions');
export const useSession = (id: string) =>
  useSageQuery<SessionWithMessages>(['sessions', id], `/api/sessions/${encodeURIComponent(id)}`);
export const useScenarios = () => useSageQuery<{ scenarios: Scenario[] }>(['scenarios'], '/api/scenarios/presets');

/** What a tool answers, for the app that shows it. */
export function useToolResult(tool: string) {
  useRefreshOn(['sage-changed'], ['sage']);
  return useQuery({ queryKey: ['sage', 'tool', tool], queryFn: () => opened(callTool(endpoint, tool, {})) });
}

/** A new session, with what the check-in app needs. */
export function useStartSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (goal: string) => {
      const result = await opened(callTool(endpoint, 'sage_start_session', goal === '' ? {} : { goal }));
      const { sessionId } = result.structuredContent as { sessionId: string };
      return { id: sessionId, result };
    },
    onSuccess({ id, result }) {
      queries.setQueryData(['sage-opened', id], result);
      return queries.invalidateQueries({ queryKey: ['sage'] });
    },
    onError: told,
  });
}

/** The answer that opened a session, as long as this page has not been left. */
export function useOpened(id: string): CallToolResult | undefined {
  const { data } = useQuery<CallToolResult>({ queryKey: ['sage-opened', id], enabled: false, gcTime: Infinity });
  return data;
}

export function useSay(session: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (message: string) => api.post('/api/mcp/message', { session_id: session, message }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sage'] }),
    onError: told,
  });
}

/** Says something in the open session, or in a new one where there is none. */
export function useTalk() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (message: string) => {
      const { sessions } = await api.get<{ sessions: Session[] }>('/api/sessions');
      const open = sessions.find((session) => session.ended_at === null);
      const { id } = open ?? (await api.post<Session>('/api/sessions'));
      await api.post('/api/mcp/message', { session_id: id, message });
      return id;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sage'] }),
    onError: told,
  });
}

export function useEndSession(session: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.post<{ nextSteps: string[] }>(`/api/sessions/${encodeURIComponent(session)}/end`),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sage'] }),
    onError: told,
  });
}

export function useStartPractice() {
  return useMutation({
    mutationFn: (scenario: string) => opened(callTool(endpoint, 'sage_practice_start', { scenario_id: scenario })),
    onError: told,
  });
}

async function opened(answer: Promise<CallToolResult>): Promise<CallToolResult> {
  const result = await answer;
  if (!result.isError) return result;
  const [first] = result.content;
  throw new Error(first?.type === 'text' ? first.text : 'The tutor refused.');
}

function told(error: Error): void {
  notifications.show({ color: 'red', title: 'That did not work', message: error.message });
}
