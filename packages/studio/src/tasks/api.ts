import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/http.ts';
import { useRefreshOn } from '../api/live.ts';

export interface Task {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly due_date: string | null;
  readonly priority: 'low' | 'medium' | 'high';
  readonly completed: boolean;
  readonly completed_at: string | null;
  readonly labels: readonly string[];
  readonly recurrence: string | null;
}

export type TaskChange = Partial<Pick<Task, 'title' | 'description' | 'due_date' | 'priority' | 'completed'>> & {
  readonly labels?: string[];
};

const key = ['tasks'];
const header = { events: ['task-changed'] };

/** Open tasks in the person's own order, or those done, newest first. */
export function useTasks(completed: boolean, search: string) {
  useRefreshOn(header.events, key);
  return useQuery({
    queryKey: [...key, completed, search],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ completed: String(completed), limit: '100', ...(search ? { search } : {}) });
      return api.get<{ tasks: Task[]; next_cursor?: string }>(`/api/tasks?${query}`, signal);
    },
    placeholderData: (before) => before,
  });
}

/** Everything one can do to tasks; each refreshes what is shown and says what went wrong. */
export function useTaskActions() {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: key });
  const complain = (error: Error) =>
    notifications.show({ color: 'red', title: 'That did not work', message: error.message });
  const options = { onSuccess: refresh, onError: complain };
  const add = useMutation({
    mutationFn: (text: string) => api.post<{ task: Task }>('/api/tasks/quick', { text }),
    ...options,
  });
  const change = useMutation({
    mutationFn: ({ id, ...fields }: TaskChange & { id: string }) => api.patch(`/api/tasks/${id}`, fields),
    ...options,
  });
  const remove = useMutation({ mutationFn: (id: string) => api.delete(`/api/tasks/${id}`), ...options });
  const move = useMutation({
    mutationFn: ({ id, after }: { id: string; after: string | null }) => api.post(`/api/tasks/${id}/move`, { after }),
    ...options,
  });
  const undo = useMutation({ mutationFn: () => api.post('/api/tasks/undo'), ...options });
  const complete = useMutation({
    mutationFn: (task: Task) => api.post(`/api/tasks/${task.id}/${task.completed ? 'reopen' : 'complete'}`),
    ...options,
  });
  return { add, change, remove, move, undo, complete };
}
