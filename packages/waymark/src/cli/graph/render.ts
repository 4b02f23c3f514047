import { Command, Option } from 'commander';
import { chooseTool, openGraph, type OpenFlags } from './open.ts';

interface RenderFlags extends OpenFlags {
  format: 'svg' | 'mermaid';
  output?: string;
}

export function createRenderCommand(): Command {
  return new Command('render')
    .description('Draw a tool of a graph as SVG or as a Mermaid flowchart.')
    .argument('<file>', 'the graph file')
    .argument('[tool]', 'the tool (may be left out when there is only one)')
    .addOption(new Option('-f, --format <format>').choices(['svg', 'mermaid']).default('mermaid'))
    .option('-o, --output <file>', 'write there instead of to stdout')
    .option('-m, --mcp <file>', 'a file with further "mcpServers"')
    .addHelpText('after', '\nExample:\n  $ waymark graph render flow.yaml count_files --format svg -o flow.svg\n')
    .action(render);
}

async function render(file: string, toolName: string | undefined, flags: RenderFlags): Promise<void> {
  const tool = chooseTool(await openGraph(file, flags), toolName);
  const picture =
    flags.format === 'svg'
      ? (await import('../../graph/render/svg.ts')).renderSvg(tool)
      : (await import('../../graph/render/mermaid.ts')).renderMermaid(tool);
  if (flags.output === undefined) {
    process.stdout.write(picture);
  } else {
    const { writeFile } = await import('node:fs/promises');
    await writeFile(flags.output, picture);
  }
}
