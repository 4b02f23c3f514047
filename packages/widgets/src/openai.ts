import type { DisplayMode, Host, HostContext, HostEvents, ToolResult } from './host-model.ts';

/** The part of ChatGPT's own bridge that the widgets use. */
export interface OpenaiBridge {
  readonly theme?: 'light' | 'dark';
  readonly locale?: string;
  readonly displayMode?: DisplayMode;
  readonly toolOutput?: unknown;
  readonly toolResponseMetadata?: Readonly<Record<string, unknown>> | null;
  readonly widgetState?: unknown;
  callTool?(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  sendFollowUpMessage?(message: { prompt: string }): Promise<void>;
  setWidgetState?(state: unknown): Promise<void> | void;
  requestDisplayMode?(request: { mode: DisplayMode }): Promise<{ mode: DisplayMode }>;
  notifyIntrinsicHeight?(height: number): void;
}

declare global {
  interface Window {
    readonly openai?: OpenaiBridge;
  }
}

export function connectOpenai(openai: OpenaiBridge, events: HostEvents): Host {
  let shown: unknown;
  const read = () => {
    const context: HostContext = {
      availableDisplayModes: openai.requestDisplayMode ? ['inline', 'fullscreen'] : ['inline'],
      ...(openai.theme ? { theme: openai.theme } : {}),
      ...(openai.locale ? { locale: openai.locale } : {}),
      ...(openai.displayMode ? { displayMode: openai.displayMode } : {}),
    };
    events.onContext(context);
    if (!openai.toolOutput || openai.toolOutput === shown) return;
    shown = openai.toolOutput;
    events.onResult({ structuredContent: shown, _meta: openai.toolResponseMetadata ?? {} });
  };
  window.addEventListener('openai:set_globals', read);
  // The caller has no host yet while this runs.
  queueMicrotask(read);

  return {
    callTool: async (name, args) => {
      if (!openai.callTool) throw new Error('this host does not let a widget call tools');
      return openai.callTool(name, args);
    },
    say: async (text) => {
      if (!openai.sendFollowUpMessage) throw new Error('this host takes no messages from a widget');
      await openai.sendFollowUpMessage({ prompt: text });
    },
    inform: async () => {},
    requestDisplayMode: async (mode) => void (await openai.requestDisplayMode?.({ mode })),
    savedState: openai.widgetState ?? undefined,
    saveState: (state) => void openai.setWidgetState?.(state),
    reportSize: (_width, height) => openai.notifyIntrinsicHeight?.(height),
  };
}
