import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Answer, sendMessage, type ToolCall, type Turn } from './api.ts';

interface Running {
  readonly message: string;
  readonly reply: string;
  readonly calls: readonly ToolCall[];
}

/** One conversation as it goes on: what is being answered, what the last answer waits for, what failed. */
export function useChat(conversation: string | undefined, onStarted: (conversation: string) => void) {
  const queries = useQueryClient();
  const [running, setRunning] = useState<Running>();
  const [failed, setFailed] = useState<{ message: string; error: unknown }>();
  const [pending, setPending] = useState<Answer['pending']>();
  const abort = useRef<AbortController>(undefined);

  async function send(message: string): Promise<void> {
    abort.current = new AbortController();
    setFailed(undefined);
    setPending(undefined);
    setRunning({ message, reply: '', calls: [] });
    try {
      const answer = await sendMessage(
        message,
        conversation,
        {
          onCall: (call) => setRunning((now) => now && { ...now, calls: [...now.calls, call] }),
          onText: (text) => setRunning((now) => now && { ...now, reply: now.reply + text }),
        },
        abort.current.signal,
      );
      const turn: Turn = { message, reply: answer.reply, calls: answer.calls };
      queries.setQueryData<{ turns: Turn[] }>(['conversations', answer.conversation_id], (before) => ({
        turns: [...(before?.turns ?? []), turn],
      }));
      setPending(answer.pending);
      if (answer.conversation_id !== conversation) onStarted(answer.conversation_id);
      void queries.invalidateQueries({ queryKey: ['conversations'], exact: true });
    } catch (error) {
      if (!abort.current.signal.aborted) setFailed({ message, error });
    } finally {
      setRunning(undefined);
    }
  }

  return { running, failed, pending, send, stop: () => abort.current?.abort() };
}
