export interface ToolResult {
  readonly structuredContent?: unknown;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export type DisplayMode = 'inline' | 'fullscreen' | 'pip';

/** What a host tells about itself; everything may be missing. */
export interface HostContext {
  readonly theme?: 'light' | 'dark';
  readonly locale?: string;
  readonly displayMode?: DisplayMode;
  readonly availableDisplayModes?: readonly DisplayMode[];
  readonly styles?: { readonly variables?: Readonly<Record<string, string | undefined>> };
  readonly safeAreaInsets?: Readonly<Record<'top' | 'right' | 'bottom' | 'left', number>>;
}

export interface HostEvents {
  onResult(result: ToolResult): void;
  onContext(context: HostContext): void;
}

/** What a widget may ask of its host, whichever it is. */
export interface Host {
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** Puts a message into the conversation in the learner's name. */
  say(text: string): Promise<void>;
  /** Lets the model know without a turn of the conversation. Hosts without this stay silent. */
  inform(text: string): Promise<void>;
  requestDisplayMode(mode: DisplayMode): Promise<void>;
  /** Kept by the host across reloads, where it can. */
  readonly savedState: unknown;
  saveState(state: unknown): void;
  reportSize(width: number, height: number): void;
}
