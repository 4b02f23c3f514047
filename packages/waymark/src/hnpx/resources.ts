import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { type ResourceDefinition, type Roots, ToolError } from '../kit/index.ts';
import type { OpenBook } from './files/book-files.ts';
import { findBooks } from './files/find-books.ts';
import { nodeKinds } from './model.ts';
import { subtreeXml } from './read/node-xml.ts';
import { outline, outlineText } from './read/outline.ts';
import type { Workshop } from './workshop.ts';

const scopes = ['books:read'] as const;

/** Books, their outlines and their nodes as things a client can attach. `{book}` is the path, percent-encoded. */
export function createResources({ files, limits }: Workshop, roots: Roots): ResourceDefinition[] {
  const open = async (uri: string, { book = '' }: Readonly<Record<string, string>>): Promise<OpenBook> => {
    try {
      return await files.read(decodeURIComponent(book));
    } catch (error) {
      if (error instanceof ToolError || error instanceof URIError) throw new ResourceNotFoundError(uri);
      throw error;
    }
  };
  const list = (part: string) => async () =>
    (await findBooks(roots.directories)).map((path) => ({
      uri: `hnpx://${encodeURIComponent(path)}/${part}`,
      name: `${path} (${part})`,
    }));
  const complete: NonNullable<ResourceDefinition['complete']> = (variable, typed, _context, given) =>
    variable === 'id'
      ? completeNodeId(files, decoded(given['book'] ?? ''), typed)
      : completeBook(roots, decoded(typed)).then((paths) => paths.map((path) => encodeURIComponent(path)));
  const answer = (uri: string, mimeType: string, text: string) => ({ contents: [{ uri, mimeType, text }] });

  return [
    {
      name: 'book',
      title: 'Book',
      description: 'A book as XML, down to the level that fits one answer.',
      mimeType: 'application/xml',
      scopes,
      uri: 'hnpx://{book}/book',
      list: list('book'),
      complete,
      async read(uri, variables) {
        const { book } = await open(uri, variables);
        return answer(uri, 'application/xml', subtreeXml(book, 0, 'paragraph', limits.maxResultLength).xml);
      },
    },
    {
      name: 'outline',
      title: 'Outline',
      description: "A book's plan with status and word counts.",
      mimeType: 'text/plain',
      scopes,
      uri: 'hnpx://{book}/outline',
      list: list('outline'),
      complete,
      async read(uri, variables) {
        const { book } = await open(uri, variables);
        return answer(uri, 'text/plain', outlineText(outline(book, 0, 'beat')));
      },
    },
    {
      name: 'node',
      title: 'Node',
      description: 'One node of a book with everything below it, as XML.',
      mimeType: 'application/xml',
      scopes,
      uri: 'hnpx://{book}/nodes/{id}',
      complete,
      async read(uri, variables) {
        const { book } = await open(uri, variables);
        const row = book.find(variables['id'] ?? '');
        if (row < 0) throw new ResourceNotFoundError(uri);
        return answer(uri, 'application/xml', subtreeXml(book, row, 'paragraph', limits.maxResultLength).xml);
      },
    },
  ];
}

export async function completeBook(roots: Roots, typed: string): Promise<string[]> {
  const wanted = typed.toLowerCase();
  const paths = await findBooks(roots.directories);
  return paths.filter((path) => path.toLowerCase().includes(wanted));
}

/** What a person is still typing may end in the middle of an escape. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Ids that begin with what was typed, containers first: they are what one most often means. */
export async function completeNodeId(files: Workshop['files'], path: string, typed: string): Promise<string[]> {
  const open = await files.read(path).catch(() => undefined);
  if (!open) return [];
  const { book } = open;
  const byLevel: string[][] = nodeKinds.map(() => []);
  for (let row = 0; row < book.count; row++) {
    const id = book.id(row);
    if (id.startsWith(typed)) byLevel[book.index.level[row]!]!.push(id);
  }
  return byLevel.flat();
}
