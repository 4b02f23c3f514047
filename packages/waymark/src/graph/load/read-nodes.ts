import type { GraphNode, NodeType } from '../model.ts';
import { list, nameType, Section } from './section.ts';
import { readNodeOfType, type NodeContext, nodeKeys } from './read-node-types.ts';
import { optional } from './optional.ts';
import type { YamlPath } from './yaml-source.ts';

const nodeTypes = Object.keys(nodeKeys) as NodeType[];

/** The nodes of a list by id, with duplicates and nodes that cannot be read reported and left out. */
export function readNodes(
  values: readonly unknown[],
  path: YamlPath,
  context: NodeContext,
  known: Map<string, GraphNode>,
): Map<string, GraphNode> {
  const nodes = new Map<string, GraphNode>();
  for (const [index, value] of values.entries()) {
    const node = readNode(value, [...path, index], context, known);
    if (!node) continue;
    nodes.set(node.id, node);
  }
  return nodes;
}

function readNode(
  value: unknown,
  path: YamlPath,
  context: NodeContext,
  known: Map<string, GraphNode>,
): GraphNode | undefined {
  const { report, about } = context;
  const bare = Section.read(report, path, value, 'A node', about);
  const id = bare?.requiredString('id', 'A node');
  if (!bare || id === undefined || id === '') return undefined;
  const section = new Section(report, path, value as Record<string, unknown>, { ...about, node: id });
  const type = readType(section, id);
  if (type === undefined) return undefined;
  section.string('description');
  section.allow(nodeKeys[type], `The ${type} node "${id}"`);
  const base = {
    id,
    position: report.source.positionOf(path),
    ...optional('title', section.string('title')),
  };
  const node = readNodeOfType(type, base, section, { ...context, about: section.about }, (values, at) =>
    readNodes(values, at, { ...context, inBody: true }, known),
  );
  const earlier = known.get(id);
  if (earlier) {
    const message = `The id "${id}" is used twice; it stands first on line ${earlier.position.line}`;
    report.error([...path, 'id'], 'duplicate-id', message, section.about);
    return undefined;
  }
  if (node) {
    known.set(id, node);
    report.places.set(node, path);
  }
  return node;
}

function readType(section: Section, id: string): NodeType | undefined {
  const what = `Node "${id}"`;
  if (!section.has('type')) {
    section.report.error(section.path, 'missing-key', `${what} needs "type": ${list(nodeTypes)}`, section.about);
    return undefined;
  }
  const value = section.raw('type');
  if (typeof value !== 'string') {
    section.error('type', 'wrong-type', `"type" must be a text, not ${nameType(value)}`);
    return undefined;
  }
  return section.oneOf('type', nodeTypes);
}
