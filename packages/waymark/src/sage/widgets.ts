import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ResourceDefinition } from '../kit/index.ts';
import { type WidgetName, widgetUri } from './wire.ts';

const shipped = fileURLToPath(new URL('../../assets/widgets', import.meta.url));

export const widgetMimeType = 'text/html;profile=mcp-app';

const widgets: Readonly<
  Record<WidgetName, { readonly title: string; readonly description: string; readonly without: string }>
> = {
  checkin: {
    title: 'Check-in',
    description: 'A short form: energy, time, intention and surroundings before a tutoring session.',
    without: 'Tell the tutor how much energy and time you have, what you want to focus on, and where you are.',
  },
  progress: {
    title: 'Learning progress',
    description: 'The active goal, proofs, reviews that are due, and the streak of days.',
    without: 'Ask the tutor for your progress; it is in the text of the answer.',
  },
  graph: {
    title: 'Knowledge graph',
    description: 'Goals and concepts as a graph, proven ones marked, with filters.',
    without: 'Ask the tutor which concepts you have proven; it is in the text of the answer.',
  },
  practice: {
    title: 'Practice',
    description: 'A role play with a character, hints, and feedback at the end.',
    without: 'Answer the character in the conversation, and say when you want to stop.',
  },
};

/** The widgets as self-contained pages that load nothing from anywhere. */
export function createWidgetResources(directory: string = shipped): ResourceDefinition[] {
  return (Object.keys(widgets) as WidgetName[]).map((name) => {
    const { title, description, without } = widgets[name];
    const meta = {
      ui: {
        csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
        prefersBorder: true,
      },
      'openai/widgetCSP': { connect_domains: [], resource_domains: [], frame_domains: [], redirect_domains: [] },
      'openai/widgetPrefersBorder': true,
      'openai/widgetDescription': description,
    };
    return {
      name,
      title,
      description,
      mimeType: widgetMimeType,
      scopes: [],
      uri: widgetUri(name),
      meta,
      async read(uri) {
        const page = await readFile(join(directory, `${name}.html`), 'utf8').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return plainPage(title, description, without);
          throw error;
        });
        return { contents: [{ uri, mimeType: widgetMimeType, text: page, _meta: meta }] };
      },
    };
  });
}

/** What is shown where the widgets have not been built: nothing moves, but it says what to do. */
function plainPage(title: string, description: string, without: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <style>body { font: 16px/1.5 system-ui, sans-serif; margin: 1rem; max-width: 40rem; }</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${description}</p>
      <p>${without}</p>
    </main>
  </body>
</html>
`;
}
