import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api/http.ts';
import { useRefreshOn } from '../api/live.ts';
import type { Question, RunEvent } from './events.ts';

export interface RunSummary {
  readonly run: string;
  readonly graph: string;
  readonly tool: string;
  readonly status: string;
  readonly startedAt?: string;
  readonly started?: string;
  readonly durationMs?: number;
  readonly breakpoints?: readonly { readonly node: string; readonly condition?: string }[];
  readonly input?: unknown;
}

export interface OpenQuestion extends Question {
  readonly run: string;
  readonly graph: string;
  readonly tool: string;
}

const liveTypes = ['run-started', 'run-paused', 'run-ended', 'question-asked', 'question-answered'];

export function useRuns(filter: { graph?: string | undefined; status?: string | undefined }) {
  useRefreshOn(liveTypes, ['runs']);
  const query = new URLSearchParams(Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return useQuery({
    queryKey: ['runs', 'list', query.toString()],
    queryFn: ({ signal }) => api.get<{ runs: RunSummary[]; next?: string }>(`/api/runs?${query}`, signal),
  });
}

export function useRun(run: string) {
  useRefreshOn(liveTypes, ['runs']);
  return useQuery({
    queryKey: ['runs', run],
    queryFn: ({ signal }) => api.get<RunSummary>(`/api/runs/${run}`, signal),
  });
}

/** Every event of a run: those that were, then those that come. The browser reconnects and misses nothing. */
export function useRunEvents(run: string): readonly RunEvent[] {
  const [events, setEvents] = useState<readonly RunEvent[]>([]);
  useEffect(() => {
    setEvents([]);
    const source = new EventSource(`/api/runs/${run}/events`);
    let waiting: RunEvent[] = [];
    let frame = 0;
    const flush = () => {
      const batch = waiting;
      waiting = [];
      frame = 0;
      setEvents((before) => [...before, ...batch.filter((event) => event.seq > (before.at(-1)?.seq ?? -1))]);
    };
    for (const type of eventTypes) {
      source.addEventListener(type, (message) => {
        waiting.push(JSON.parse((message as MessageEvent<string>).data) as RunEvent);
        frame ||= requestAnimationFrame(flush);
        if (type === 'run-ended') source.close();
      });
    }
    return () => {
      source.close();
      cancelAnimationFrame(frame);
    };
  }, [run]);
  return events;
}

const eventTypes = [
  'run-started',
  'node-started',
  'node-ended',
  'node-retried',
  'question-asked',
  'question-answered',
  'run-paused',
  'run-resumed',
  'value-changed',
  'run-ended',
];

export function useRunActions(run: string) {
  const queries = useQueryClient();
  const options = {
    onSuccess: () => queries.invalidateQueries({ queryKey: ['runs', run] }),
    onError: (error: Error) => notifications.show({ color: 'red', title: 'That did not work', message: error.message }),
  };
  const control = useMutation({
    mutationFn: (action: 'pause' | 'resume' | 'step' | 'stop') => api.post(`/api/runs/${run}/${action}`),
    ...options,
  });
  const runTo = useMutation({
    mutationFn: (node: string) => api.post(`/api/runs/${run}/run-to`, { node }),
    ...options,
  });
  const change = useMutation({
    mutationFn: (body: { node: string; value: unknown }) => api.patch(`/api/runs/${run}/values`, body),
    ...options,
  });
  const fork = useMutation({
    mutationFn: (body: { seq: number; changes: Record<string, unknown> }) =>
      api.post<{ run: string }>(`/api/runs/${run}/fork`, body),
    ...options,
  });
  const setBreakpoints = useMutation({
    mutationFn: (breakpoints: { node: string; condition?: string }[]) =>
      api.put(`/api/runs/${run}/breakpoints`, { breakpoints }),
    ...options,
  });
  return { control, runTo, change, fork, setBreakpoints };
}

export function useQuestions() {
  useRefreshOn(liveTypes, ['questions']);
  return useQuery({
    queryKey: ['questions'],
    queryFn: ({ signal }) => api.get<{ questions: OpenQuestion[] }>('/api/approvals', signal),
  });
}

export function useAnswer() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({
      run,
      id,
      ...body
    }: {
      run: string;
      id: string;
      action: 'accept' | 'decline' | 'cancel';
      content?: Record<string, unknown>;
    }) => api.post(`/api/approvals/${run}/${id}`, body),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['questions'] }),
    onError: (error: Error) => notifications.show({ color: 'red', title: 'That did not work', message: error.message }),
  });
}
