// @ts-check
import { findFiles, readText } from './files.mjs';

/**
 * @typedef {{ id: string, text: string, source: string }} Requirement
 * @typedef {{ name: string, title: string, requirements: Requirement[] }} System
 */

const systems = /** @type {const} */ ({
  sop: 'SOP graph navigation',
  graph: 'Tool graphs',
  tasks: 'Tasks and the task agent',
  hnpx: 'Books (HNPX)',
  sage: 'Tutoring (SAGE)',
});

/** @returns {System[]} */
export function readManifest() {
  return Object.entries(systems).map(([name, title]) => ({
    name,
    title,
    requirements: JSON.parse(readText(`spec/${name}.json`)),
  }));
}

/** The ids that no test proves yet. The list may only shrink. @returns {string[]} */
export function readOpen() {
  return JSON.parse(readText('spec/open.json'));
}

const testTitle = /(\.(?:skip|todo))?\(\s*(['"`])((?:\\.|(?!\2)[^\\])*)\2\s*,/gs;
const citation = /\[((?:SOP|GRAPH|HNPX|SAGE|ABR|MTR|SC|US\d|EDGE|TASK)-[A-Z0-9_-]+)\]/g;

/** The ids cited in the titles of one test file's tests; skipped tests prove nothing. @param {string} source */
export function citedIn(source) {
  const withoutComments = source.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  const ids = new Set();
  for (const [, skipped, , title] of withoutComments.matchAll(testTitle)) {
    if (skipped || title === undefined) continue;
    for (const [, id] of title.matchAll(citation)) ids.add(id);
  }
  return ids;
}

/** Every cited id with the test files that cite it. @returns {Map<string, string[]>} */
export function readCitations() {
  /** @type {Map<string, string[]>} */
  const citations = new Map();
  for (const file of findFiles(['packages', 'examples'], /\.test\.tsx?$/)) {
    for (const id of citedIn(readText(file))) citations.set(id, [...(citations.get(id) ?? []), file]);
  }
  return citations;
}
