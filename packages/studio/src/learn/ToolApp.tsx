import { Skeleton } from '@mantine/core';
import { AppFrame } from '../apps/AppFrame.tsx';
import { Problem } from '../elements/Problem.tsx';
import { endpoint, useToolResult } from './api.ts';

interface ToolAppProps {
  readonly tool: string;
  readonly app: string;
  readonly title: string;
  readonly onSay: (text: string) => void;
}

/** The app that shows what a tool answers, as a chat client would show it. */
export function ToolApp({ tool, app, title, onSay }: ToolAppProps) {
  const result = useToolResult(tool);
  if (result.error) return <Problem error={result.error} onRetry={() => void result.refetch()} />;
  if (!result.data) return <Skeleton h={240} />;
  return (
    <AppFrame
      endpoint={endpoint}
      uri={`ui://widget/${app}.html`}
      title={title}
      result={result.data}
      onMessage={onSay}
    />
  );
}
