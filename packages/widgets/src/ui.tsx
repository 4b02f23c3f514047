import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ToolResult } from './host-model.ts';
import { record, text } from './read.ts';

/** Runs an action once at a time and keeps what went wrong. */
export function useAction(fallback: string) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const run = (action: () => Promise<void>): void => {
    if (busy) return;
    setBusy(true);
    setProblem('');
    action()
      .catch((error: unknown) => setProblem(problemOf(error, fallback)))
      .finally(() => setBusy(false));
  };
  return { busy, problem, setProblem, run };
}

/** What to tell a person: the server's words where it gave some. */
export function problemOf(error: unknown, fallback: string): string {
  return error instanceof ToolFailure && error.message ? error.message : fallback;
}

/** A tool answered with an error; its message is written for people. */
class ToolFailure extends Error {}

/** The result of a call, or a thrown failure with the server's own words. */
export function succeeded(result: ToolResult): ToolResult {
  if (!result.isError) return result;
  const message = result.content?.find(({ type }) => type === 'text')?.text;
  throw new ToolFailure(readableMessage(message) || text(record(result.structuredContent)['error']));
}

function readableMessage(message: string | undefined): string {
  if (!message?.startsWith('{')) return message ?? '';
  try {
    return text(record(JSON.parse(message))['message']);
  } catch {
    return message;
  }
}

export function Problem({ children }: { readonly children: string }) {
  return (
    <div class="problem" role="alert">
      {children}
    </div>
  );
}

export function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function Status({ status, label }: { readonly status: string; readonly label: string }) {
  return <span class={`pill ${status}`}>{label}</span>;
}
