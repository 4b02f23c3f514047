import { Button, Skeleton, useComputedColorScheme } from '@mantine/core';
import { Minimize2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type CallToolResult, callTool } from '../api/mcp.ts';
import { Problem } from '../elements/Problem.tsx';
import { useApp } from './api.ts';
import { AppHost, type DisplayMode } from './app-host.ts';
import classes from './AppFrame.module.css';

interface AppFrameProps {
  readonly endpoint: string;
  readonly uri: string;
  readonly title: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly result: CallToolResult;
  /** What the app says in the person's name. */
  readonly onMessage?: (text: string) => void;
  /** After a call of the app, with what it called. */
  readonly onCalled?: (tool: string) => void;
}

const noInput = {};

/** An app of an MCP server in a frame that can reach nothing: no network, no storage, no page around it. */
export function AppFrame(props: AppFrameProps) {
  const { endpoint, uri, title, input = noInput, result } = props;
  const scheme = useComputedColorScheme('light');
  const app = useApp(endpoint, uri);
  const frame = useRef<HTMLIFrameElement>(null);
  const host = useRef<AppHost>(undefined);
  const listeners = useRef(props);
  const [height, setHeight] = useState(240);
  const [mode, setMode] = useState<DisplayMode>('inline');
  listeners.current = props;

  useEffect(() => {
    if (!app.data) return;
    const { html, callable } = app.data;
    const current = new AppHost({
      html,
      input,
      result,
      context: {
        theme: document.documentElement.dataset['mantineColorScheme'] === 'dark' ? 'dark' : 'light',
        displayMode: 'inline',
        availableDisplayModes: ['inline', 'fullscreen'],
        locale: navigator.language,
      },
      async callTool(name, args) {
        if (!callable.has(name)) throw new Error(`An app may not call ${name}`);
        const answer = await callTool(endpoint, name, args);
        listeners.current.onCalled?.(name);
        return answer;
      },
      onMessage: (text) => listeners.current.onMessage?.(text),
      onHeight: setHeight,
      onDisplayMode: setMode,
      // The frame has an origin of its own that nothing can name.
      post: (message) => frame.current?.contentWindow?.postMessage(message, '*'),
    });
    const receive = (event: MessageEvent) => {
      if (event.source === frame.current?.contentWindow) void current.receive(event.data);
    };
    host.current = current;
    window.addEventListener('message', receive);
    if (frame.current) frame.current.src = '/sandbox.html';
    return () => window.removeEventListener('message', receive);
  }, [app.data, endpoint, input, result]);
  useEffect(() => host.current?.changeContext({ theme: scheme }), [scheme]);
  useEffect(() => host.current?.changeContext({ displayMode: mode }), [mode]);

  if (app.error) return <Problem error={app.error} onRetry={() => void app.refetch()} />;
  if (!app.data) return <Skeleton h={240} />;
  return (
    <div className={classes['frame']} data-mode={mode}>
      {mode === 'fullscreen' ? (
        <Button
          variant="default"
          size="xs"
          m="xs"
          leftSection={<Minimize2 size={14} aria-hidden />}
          onClick={() => setMode('inline')}
        >
          Back
        </Button>
      ) : null}
      <iframe
        ref={frame}
        title={title}
        sandbox="allow-scripts allow-forms"
        style={mode === 'inline' ? { height } : undefined}
      />
    </div>
  );
}
