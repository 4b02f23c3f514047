import { z } from 'zod';
import type { PromptDefinition, Roots } from '../kit/index.ts';
import { writingContext } from './read/context.ts';
import { nextEmpty } from './read/next-empty.ts';
import { outline, outlineText } from './read/outline.ts';
import { completeBook, completeNodeId } from './resources.ts';
import type { Workshop } from './workshop.ts';

const file = z.string().describe('Path of the book');

/** The three phases of writing a book, each as a prompt with the book's present state in it. */
export function createPrompts({ files }: Workshop, roots: Roots): PromptDefinition[] {
  const complete: NonNullable<PromptDefinition['complete']> = (argument, typed, _context, given) => {
    if (argument === 'file_path') return completeBook(roots, typed);
    return argument === 'node_id' ? completeNodeId(files, given['file_path'] ?? '', typed) : [];
  };
  const asUser = (text: string) => ({
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  });

  return [
    {
      name: 'plan_book',
      title: 'Plan a book',
      description: 'Starts a book from a premise and plans it breadth first.',
      scopes: ['books:write'],
      arguments: z.object({ file_path: file, premise: z.string().describe('What the book is about') }),
      complete,
      get: ({ file_path: path = '', premise = '' }) =>
        asUser(`Plan a novel in the HNPX file ${path}.

Premise: ${premise}

1. create_document(${path}); then set the book's summary with edit_node_attributes: two or three sentences that hold the whole story, its turn and its end.
2. Repeat get_next_empty_container. For the book create the chapters, for each chapter its sequences, for each sequence its beats. Finish one level before you go deeper; do not write paragraphs yet.
3. Every summary says what changes, for whom, and why the next one follows. Give chapters a pov, sequences a place and a time.
4. When the next empty container is a beat, stop and show the plan with get_outline.`),
    },
    {
      name: 'write_next',
      title: 'Write the next beat',
      description: 'Everything needed to write the next empty beat, or a beat you name.',
      scopes: ['books:write'],
      arguments: z.object({
        file_path: file,
        node_id: z.string().optional().describe('A node; default: the next empty one'),
      }),
      complete,
      async get({ file_path: path = '', node_id: id }) {
        const { book } = await files.read(path);
        const next = nextEmpty(book, { includeParagraphs: true });
        const row = id ? book.require(id) : next ? book.require(next.id) : -1;
        if (row < 0) return asUser(`Every part of ${path} is written. Read it with render_document and revise.`);
        return asUser(`Go on with the book ${path} at ${book.kind(row)} ${book.id(row)}.

${writingContext(book, row, 3000).text}

Expand this node only: ${childAdvice(book.kind(row))} Keep the point of view, the tense and the voice of the text before. Then call get_next_empty_container and say what comes next.`);
      },
    },
    {
      name: 'revise_node',
      title: 'Revise a part',
      description: 'Rereads a part of the book with a wish in mind.',
      scopes: ['books:write'],
      arguments: z.object({
        file_path: file,
        node_id: z.string(),
        wish: z.string().describe('What should become better'),
      }),
      complete,
      async get({ file_path: path = '', node_id: id = '', wish = '' }) {
        const { book, revision } = await files.read(path);
        const row = book.require(id);
        return asUser(`Revise ${book.kind(row)} ${id} of ${path} (revision ${revision}): ${wish}

${outlineText(outline(book, row, 'paragraph'))}

Read it with render_node first. Change texts with edit_node_attributes or edit_paragraph_text, the order with reorder_children or move_nodes; split_node and merge_nodes change the pace; remove_node only what nothing later depends on. Every destructive step keeps a snapshot, and undo takes the last change back. End with render_node and one sentence on what changed.`);
      },
    },
  ];
}

function childAdvice(kind: string): string {
  const advice: Readonly<Record<string, string>> = {
    book: 'create its chapters with create_chapter.',
    chapter: 'create its sequences with create_sequence.',
    sequence: 'create its beats with create_beat.',
    beat: 'write its paragraphs with create_paragraph: narration, dialogue (with char) and internal thoughts as the moment asks.',
    paragraph: 'write its text with edit_paragraph_text.',
  };
  return advice[kind] ?? '';
}
