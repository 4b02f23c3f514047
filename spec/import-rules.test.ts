import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFiles, readText } from '../scripts/lib/files.mjs';

const source = 'packages/waymark/src/';
const toolsets = ['sop', 'graph', 'tasks', 'hnpx', 'sage'];

/** What each room of the product may import besides itself. Rooms not listed here may import everything. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  store: ['kit'],
  dates: [],
  ...Object.fromEntries([...toolsets, 'agent'].map((room) => [room, ['kit', 'store', 'dates']])),
};

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** The imported file for relative imports, relative to the repository. */
  readonly target: string | undefined;
  /** Loaded with the file itself: neither a type, which is gone at run time, nor inside a function. */
  readonly eager: boolean;
}

const importPattern =
  /(?:^|[;\s}])(?:import|export)\s+(type\s+)?(?:[^'";]*?\s+from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

function importsOf(file: string, text = readText(file)): Import[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  return [...code.matchAll(importPattern)].flatMap(([, onlyTypes, fixed, lazy]) => {
    const specifier = fixed ?? lazy ?? '';
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined;
    return [{ file, specifier, target, eager: !onlyTypes && lazy === undefined }];
  });
}

const isTest = (file: string) => /\.test(-helpers)?\.tsx?$/.test(file);
const productFiles = findFiles(['packages/waymark/src'], /\.ts$/).filter((file) => !isTest(file));
const imports = productFiles.flatMap((file) => importsOf(file));
const roomOf = (file: string) => (file.startsWith(source) ? file.slice(source.length).split('/')[0] : undefined);
const describeImport = ({ file, specifier }: Import) => `${file} imports ${specifier}`;

/** Every import that is followed when these files are loaded. */
function eagerlyLoadedFrom(entries: readonly string[]): Import[] {
  const seen = new Set(entries);
  const loaded: Import[] = [];
  for (const file of seen) {
    for (const imported of imports.filter((candidate) => candidate.file === file && candidate.eager)) {
      loaded.push(imported);
      if (imported.target) seen.add(imported.target);
    }
  }
  return loaded;
}

describe('import rules', () => {
  test('the walker sees every kind of import', () => {
    const text = [
      "import { a } from './a.ts';",
      "import type { B } from './b.ts';",
      "export {\n  c,\n} from '../c.ts';",
      "import 'side-effect';",
      "const d = await import('./d.ts');",
      "// import { e } from './e.ts';",
    ].join('\n');
    expect(importsOf('x/y.ts', text).map(({ target, specifier }) => target ?? specifier)).toEqual([
      'x/a.ts',
      'x/b.ts',
      'c.ts',
      'side-effect',
      'x/d.ts',
    ]);
    expect(imports.length).toBeGreaterThan(100);
  });

  test('every room imports only the rooms it may know', () => {
    const broken = imports.filter(({ file, target }) => {
      const [from, to] = [roomOf(file), target && roomOf(target)];
      if (!from || !to || from === to || !(from in allowed)) return false;
      return !allowed[from]?.includes(to);
    });
    expect(broken.map(describeImport)).toEqual([]);
  });

  test('nothing but the command line imports the command line', () => {
    const broken = imports.filter(({ file, target }) => target && roomOf(target) === 'cli' && roomOf(file) !== 'cli');
    expect(broken.map(describeImport)).toEqual([]);
  });

  test('only the store knows the embedded database', () => {
    const broken = imports.filter(
      ({ file, specifier }) => specifier.startsWith('@electric-sql/') && roomOf(file) !== 'store',
    );
    expect(broken.map(describeImport)).toEqual([]);
  });

  test('a stdio server of procedures loads no database, no web server and no language model', () => {
    const entries = ['cli/main.ts', 'cli/mcp.ts', 'cli/run-stdio.ts', 'sop/index.ts'].map((file) => source + file);
    const heavy =
      /^(?:pg|kysely|fastify|oidc-provider|ai|jsonata|@electric-sql\/.*|@openai\/.*|@ai-sdk\/.*|@dbos-inc\/.*)$/;
    const loaded = eagerlyLoadedFrom(entries);
    expect(loaded.filter(({ specifier }) => heavy.test(specifier)).map(describeImport)).toEqual([]);
    expect(loaded.length).toBeGreaterThan(50);
  });

  test('studio and widgets know only the wire', () => {
    const files = findFiles(['packages/studio', 'packages/widgets'], /\.tsx?$/).filter((file) => !isTest(file));
    const broken = files
      .flatMap((file) => importsOf(file))
      .filter(({ file, specifier, target }) => {
        const ownPackage = file.split('/').slice(0, 2).join('/');
        return target ? !target.startsWith(`${ownPackage}/`) : /^waymark(\/|$)/.test(specifier);
      });
    expect(broken.map(describeImport)).toEqual([]);
  });
});
