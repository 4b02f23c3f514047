import { checkSchema } from '../check/schemas.ts';
import type { GraphNode, GraphTool, NodeList } from '../model.ts';
import type { DollarArguments } from './dialect.ts';
import { targetsOf } from '../targets.ts';
import { optional } from './optional.ts';
import { readNodes } from './read-nodes.ts';
import { isRecord, type Report, Section } from './section.ts';
import type { YamlPath } from './yaml-source.ts';

const toolKeys = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'nodes'];
const annotationKeys = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

export interface ReadTool extends GraphTool {
  readonly path: YamlPath;
}

/** The tools of the file by name. In the old dialect `shared` holds the nodes of all of them. */
export function readTools(root: Section, dollar: DollarArguments): Map<string, ReadTool> {
  const tools = new Map<string, ReadTool>();
  const { report } = root;
  const shared = root.list('nodes');
  for (const [index, value] of (root.list('tools') ?? []).entries()) {
    const path = root.at('tools', index);
    const tool = readTool(value, path, report, dollar, shared && { values: shared, path: root.at('nodes') });
    if (!tool) continue;
    const earlier = tools.get(tool.name);
    if (earlier) {
      const message = `The tool "${tool.name}" is there twice; it stands first on line ${earlier.position.line}`;
      report.error([...path, 'name'], 'duplicate-tool', message, { tool: tool.name });
      continue;
    }
    tools.set(tool.name, tool);
  }
  return tools;
}

function readTool(
  value: unknown,
  path: YamlPath,
  report: Report,
  dollar: DollarArguments,
  shared: { values: readonly unknown[]; path: YamlPath } | undefined,
): ReadTool | undefined {
  const bare = Section.read(report, path, value, 'A tool');
  const name = bare?.requiredString('name', 'A tool');
  if (!bare || name === undefined || name === '') return undefined;
  const section = new Section(report, path, value as Record<string, unknown>, { tool: name });
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name)) {
    section.warn(
      'name',
      'tool-name',
      `Some clients refuse the tool name "${name}": use 1 to 128 letters, digits, "_", "-" and "."`,
    );
  }
  section.allow(shared ? toolKeys.filter((key) => key !== 'nodes') : toolKeys, `The tool "${name}"`);
  const description = section.requiredString('description', `The tool "${name}"`) ?? '';
  const inputSchema = readSchema(section, 'inputSchema', true);
  const outputSchema = readSchema(section, 'outputSchema', false);
  const context = { report, dollar, about: { tool: name }, inBody: false };
  const nodes = shared
    ? ownNodes(readNodes(shared.values, shared.path, context, new Map()), shared.values, name)
    : readNodes(section.list('nodes') ?? [], section.at('nodes'), context, new Map());
  if (!shared && !section.has('nodes')) section.error('nodes', 'missing-key', `The tool "${name}" needs "nodes"`);
  return {
    name,
    ...optional('title', section.string('title')),
    description,
    inputSchema: inputSchema ?? { type: 'object' },
    ...optional('outputSchema', outputSchema),
    ...optional('annotations', readAnnotations(section)),
    body: nodeList(nodes, section),
    position: report.source.positionOf(path),
    path,
  };
}

function readSchema(section: Section, key: string, isInput: boolean): Record<string, unknown> | undefined {
  const { tool } = section.about;
  if (!section.has(key)) {
    if (isInput) section.error(key, 'missing-key', `The tool "${tool}" needs "${key}"`);
    return undefined;
  }
  const schema = section.raw(key);
  if (!isRecord(schema)) {
    section.error(key, 'wrong-type', `"${key}" must be a JSON Schema`);
    return undefined;
  }
  if (isInput && schema['type'] !== 'object') {
    section.error(key, 'wrong-schema', `"inputSchema" of the tool "${tool}" must have "type: object"`);
  }
  checkSchema(schema, section.at(key), section.report, section.about);
  return schema;
}

function readAnnotations(section: Section): Record<string, boolean> | undefined {
  const annotations = section.section('annotations');
  if (!annotations) return undefined;
  annotations.allow(annotationKeys, '"annotations"');
  const read: Record<string, boolean> = {};
  for (const key of annotationKeys) {
    const value = annotations.boolean(key);
    if (value !== undefined) read[key] = value;
  }
  return read;
}

/** Of nodes that several tools share, those that lead on from the tool's own entry, and its exit. */
function ownNodes(nodes: Map<string, GraphNode>, values: readonly unknown[], tool: string): Map<string, GraphNode> {
  const ownerOf = new Map<string, unknown>();
  for (const value of values) if (isRecord(value)) ownerOf.set(String(value['id']), value['tool']);
  const own = new Map<string, GraphNode>();
  const visit = (id: string) => {
    const node = nodes.get(id);
    if (!node || own.has(id)) return;
    own.set(id, node);
    targetsOf(node).forEach(visit);
  };
  for (const node of nodes.values()) {
    if ((node.type === 'entry' || node.type === 'exit') && ownerOf.get(node.id) === tool) visit(node.id);
  }
  return own;
}

function nodeList(nodes: Map<string, GraphNode>, section: Section): NodeList {
  const { tool } = section.about;
  const find = (type: 'entry' | 'exit') => {
    const found = [...nodes.values()].filter((node) => node.type === type).map((node) => node.id);
    if (found.length === 1 || (section.report.hasErrors && found.length === 0 && nodes.size === 0))
      return found[0] ?? '';
    const message =
      found.length === 0
        ? `Tool "${tool}" has no ${type} node`
        : `Tool "${tool}" has multiple ${type} nodes: ${found.join(', ')}`;
    section.report.error(section.path, found.length === 0 ? `no-${type}` : `many-${type}`, message, section.about);
    return found[0] ?? '';
  };
  return { start: find('entry'), exit: find('exit'), nodes };
}
