// @ts-check
// Builds every widget into one HTML file that needs nothing else.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = join(here, '../waymark/assets/widgets');

/** What a reader sees where no host answers: the purpose, and how to get there by words. */
const widgets = {
  checkin: {
    title: 'Check-in',
    limit: 60_000,
    text: 'Before a session your tutor asks four things: how much energy you have, how many minutes, where you are, and what you want to work on. Answer them in the conversation, for example: “medium energy, 30 minutes, quiet office, I want to raise my prices”.',
  },
  progress: {
    title: 'Learning progress',
    limit: 60_000,
    text: 'This view shows your goal, what you have proven, and what comes next. Ask your tutor in the conversation: “How far am I?”',
  },
  graph: {
    title: 'Knowledge graph',
    limit: 120_000,
    text: 'This view draws your goals and the ideas they rest on. Ask your tutor in the conversation: “What have I proven, and what is still missing?”',
  },
  practice: {
    title: 'Practice',
    limit: 60_000,
    text: 'This view is a role play: your tutor plays the other person and gives feedback afterwards. You can practise in the conversation as well; say “end the practice” to get your feedback.',
  },
};

mkdirSync(target, { recursive: true });
for (const [name, { title, limit, text }] of Object.entries(widgets)) {
  const { script, style } = await bundle(name);
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    `<style>${style.trim()}</style>`,
    '</head>',
    '<body>',
    `<main id="app"><section class="card"><h1>${title}</h1><p>${text}</p></section></main>`,
    `<script type="module">${script.trim().replaceAll('</script', String.raw`<\/script`)}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
  const size = gzipSync(html).length;
  if (size > limit) throw new Error(`${name}.html is ${size} bytes when compressed; the limit is ${limit}`);
  writeFileSync(join(target, `${name}.html`), html);
}

/** @param {string} name */
async function bundle(name) {
  const built = await build({
    root: here,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      cssMinify: true,
      modulePreload: false,
      rollupOptions: { input: join(here, 'src', `${name}.tsx`) },
    },
  });
  if (Array.isArray(built) || !('output' in built)) throw new Error(`${name}: expected one bundle`);
  let script = '';
  let style = '';
  for (const part of built.output) {
    if (part.type === 'chunk') script += part.code;
    else if (part.fileName.endsWith('.css')) style += String(part.source);
  }
  return { script, style };
}
