import { z } from 'zod';
import { annotate, defineTool, Reply, type Tool, ToolError } from '../kit/index.ts';
import type { Book } from './book/book.ts';
import { invalidAttribute } from './edit/rules.ts';
import { nodeKinds } from './model.ts';
import { nextEmpty } from './read/next-empty.ts';
import { childrenXml, nodeXml, pathXml, subtreeXml } from './read/node-xml.ts';
import { filePath, nodeId } from './tool-inputs.ts';
import { readOutputs } from './tool-outputs.ts';
import type { Workshop } from './workshop.ts';

const node = z.strictObject({ file_path: filePath, node_id: nodeId });
const shared = { annotations: annotate.read, scopes: ['books:read'] } as const;

/** Finding one's way: what is empty, and a node alone, with its descendants, its children or its ancestors. */
export function createReadTools({ files, limits }: Workshop): Tool[] {
  const open = async (path: string, id: string) => {
    const { book, revision } = await files.read(path);
    return { book, revision, row: book.require(id) };
  };

  return [
    defineTool({
      ...shared,
      name: 'get_next_empty_container',
      title: 'Next empty container',
      description:
        'The next node to expand, breadth first: all chapters before any sequence, and so on. Returns {id, type, message}, or null when every container has children.',
      input: z.strictObject({
        file_path: filePath,
        node_id: nodeId.nullish().describe('Look only below this node'),
        include_paragraphs: z.boolean().nullish().describe('Then also find paragraphs without text'),
      }),
      output: readOutputs.nextEmpty,
      async run(input): Promise<Reply<z.infer<typeof readOutputs.nextEmpty>>> {
        const { book, revision } = await files.read(input.file_path);
        const within = input.node_id ? book.require(input.node_id) : 0;
        const found = nextEmpty(book, { within, includeParagraphs: input.include_paragraphs ?? false });
        const meta = { revision };
        if (found) return new Reply({ structured: { ...found }, meta });
        return new Reply({ structured: { result: null }, text: 'null', meta });
      },
    }),
    defineTool({
      ...shared,
      name: 'get_node',
      title: 'Get node',
      description: 'One node as XML: attributes and summary, for a paragraph its text; no child nodes.',
      input: node,
      output: readOutputs.node,
      async run(input) {
        const { book, row, revision } = await open(input.file_path, input.node_id);
        const xml = withinLimit(nodeXml(book, row), limits.maxResultLength);
        return xmlReply(xml, { ...describeNode(book, row), revision });
      },
    }),
    defineTool({
      ...shared,
      name: 'get_subtree',
      title: 'Get subtree',
      description: 'A node and all its descendants as XML. Use pruning_level to stop at chapters, sequences or beats.',
      input: z.strictObject({
        file_path: filePath,
        node_id: nodeId,
        pruning_level: z
          .enum([...nodeKinds, 'full'])
          .nullish()
          .describe('Deepest level shown'),
      }),
      output: readOutputs.subtree,
      async run(input) {
        const { book, row, revision } = await open(input.file_path, input.node_id);
        const deepest = input.pruning_level && input.pruning_level !== 'full' ? input.pruning_level : 'paragraph';
        const { xml, omitted, truncated } = subtreeXml(book, row, deepest, limits.maxResultLength);
        withinLimit(xml, limits.maxResultLength);
        const note = truncated ? `\n<!-- ${omitted} deeper nodes left out: too large for one answer -->` : '';
        const size = { node_count: book.index.next[row]! - row, omitted_nodes: omitted, truncated };
        return xmlReply(xml + note, { id: input.node_id, type: book.kind(row), ...size, revision });
      },
    }),
    defineTool({
      ...shared,
      name: 'get_direct_children',
      aliases: ['get_children'],
      title: 'Get children',
      description: "A node's children as XML, each without its own children. Page long lists with offset and limit.",
      input: z.strictObject({
        file_path: filePath,
        node_id: nodeId,
        offset: z.number().nullish(),
        limit: z.number().nullish(),
      }),
      output: readOutputs.children,
      async run(input) {
        const { book, row, revision } = await open(input.file_path, input.node_id);
        const offset = wholeNumber('offset', input.offset, 0);
        const limit = wholeNumber('limit', input.limit, 1);
        const page = childrenXml(book, row, { offset, limit }, limits.maxResultLength);
        const childIds = page.returned.map((child) => book.id(child));
        const counts = { total: page.total, offset: page.offset, returned: childIds.length };
        return xmlReply(page.xml, { parent_id: input.node_id, child_ids: childIds, ...counts, revision });
      },
    }),
    defineTool({
      ...shared,
      name: 'get_node_path',
      aliases: ['get_path'],
      title: 'Get path',
      description:
        'The way from the book down to a node as XML: each ancestor and the node itself, without other children.',
      input: node,
      output: readOutputs.path,
      async run(input) {
        const { book, row, revision } = await open(input.file_path, input.node_id);
        const ids = book.path(row).map((step) => book.id(step));
        return xmlReply(pathXml(book, row), { id: input.node_id, path_ids: ids, depth: ids.length, revision });
      },
    }),
  ];
}

function xmlReply<Facts extends object>(xml: string, facts: Facts): Reply<Facts & { xml: string }> {
  return new Reply({ text: xml, structured: { xml, ...facts } });
}

function withinLimit(xml: string, limit: number): string {
  if (xml.length <= limit) return xml;
  const message = `The answer would have ${xml.length} characters; read it in parts with render_node and offset`;
  throw new ToolError('LIMIT_EXCEEDED', message, { length: xml.length, limit });
}

function describeNode(book: Book, row: number): Omit<z.infer<typeof readOutputs.node>, 'xml' | 'revision'> {
  const type = book.kind(row);
  const parent = book.parent(row);
  return {
    id: book.id(row),
    type,
    parent_id: parent < 0 ? null : book.id(parent),
    attributes: Object.fromEntries(book.attributes(row)),
    summary: book.summary(row) ?? null,
    ...(type === 'paragraph'
      ? { text: book.text(row), effective_char: book.effectiveChar(row) }
      : { child_count: book.children(row).length }),
    effective_pov: book.effectivePov(row),
  };
}

function wholeNumber(name: string, value: number | null | undefined, least: number): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (Number.isInteger(value) && value >= least) return value;
  throw invalidAttribute(`${name} must be a whole number from ${least}`, { attribute: name, value });
}
