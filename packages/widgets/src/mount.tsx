import { type ComponentType, render } from 'preact';
import { connectHost } from './host.ts';
import type { Host, HostContext, ToolResult } from './host-model.ts';
import { type Strings, stringsFor } from './strings.ts';
import './style.css';

export interface WidgetProps {
  readonly host: Host;
  readonly context: HostContext;
  readonly strings: Strings;
  /** The result of the tool that opened the widget. */
  readonly result: ToolResult;
}

/** Connects to the host and draws the widget once there is something to show. */
export async function mount(name: string, Widget: ComponentType<WidgetProps>): Promise<void> {
  const root = document.getElementById('app');
  if (!root) return;
  let connected: Host | undefined = undefined;
  let context: HostContext = {};
  let result: ToolResult | undefined;

  const draw = () => {
    if (!connected) return;
    const strings = stringsFor(context.locale);
    document.documentElement.lang = strings.language;
    if (root.dataset['drawn'] !== 'yes') root.replaceChildren();
    root.dataset['drawn'] = 'yes';
    render(
      result ? (
        <Widget host={connected} context={context} strings={strings} result={result} />
      ) : (
        <section class="card">
          <p class="quiet" role="status">
            {strings.loading}
          </p>
        </section>
      ),
      root,
    );
  };

  const host = await connectHost(name, {
    onResult: (received) => ((result = received), draw()),
    onContext: (received) => ((context = received), applyContext(received), draw()),
  });
  if (!host) return;
  connected = host;
  draw();
  reportSizes(host);
}

function applyContext({ theme, displayMode, styles, safeAreaInsets }: HostContext): void {
  const page = document.documentElement;
  if (theme) page.dataset['theme'] = theme;
  if (displayMode) page.dataset['display'] = displayMode;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && value) page.style.setProperty(name, value);
  }
  if (safeAreaInsets) {
    const { top, right, bottom, left } = safeAreaInsets;
    document.body.style.padding = `${top}px ${right}px ${bottom}px ${left}px`;
  }
}

function reportSizes(host: Host): void {
  let planned = 0;
  let last = '';
  const report = () => {
    planned = 0;
    const { width } = document.documentElement.getBoundingClientRect();
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    const size = `${width}x${height}`;
    if (size === last) return;
    last = size;
    host.reportSize(Math.ceil(width), height);
  };
  new ResizeObserver(() => {
    planned ||= requestAnimationFrame(report);
  }).observe(document.body);
}
