import { prepareText } from './flowchart/prepared-text.ts';
import type { Fence, Outline } from './markdown.ts';

export interface FoundDiagram {
  readonly start: number;
  readonly end: number;
  /** The file is nothing but a diagram. */
  readonly bare: boolean;
  readonly warnings: readonly { code: string; offset: number; message: string }[];
}

const diagramHeader = /^(?:flowchart|graph|flowchart-elk|swimlane-beta)\b/;

/** The flowchart a file is about: under its heading if there is one, else the first. */
export function findDiagram(
  source: string,
  bodyStart: number,
  { sections, fences }: Outline,
): FoundDiagram | undefined {
  const isFlowchart = (fence: Fence) =>
    diagramHeader.test(prepareText(source.slice(fence.contentStart, fence.contentEnd)).text);
  const drawn = fences.filter((fence) => fence.language === 'mermaid');
  const flowcharts = drawn.filter(isFlowchart);
  const heading = sections.find(({ title }) => /^(?:sop )?flowchart\b/i.test(title));
  const under = (fence: Fence) => heading !== undefined && fence.start >= heading.start && fence.start < heading.end;
  const chosen = flowcharts.find(under) ?? flowcharts[0] ?? drawn.find(under) ?? drawn[0];
  if (chosen) {
    const warnings: { code: string; offset: number; message: string }[] = [];
    const others = flowcharts.filter((fence) => fence !== chosen);
    for (const other of others) {
      const message = 'Only one flowchart is followed; this one is ignored';
      warnings.push({ code: 'SECOND_FLOWCHART', offset: other.start, message });
    }
    if (!chosen.closed)
      warnings.push({ code: 'UNCLOSED_FENCE', offset: chosen.start, message: 'The mermaid block is never closed' });
    return { start: chosen.contentStart, end: chosen.contentEnd, bare: false, warnings };
  }
  const plain = fences.find((fence) => fence.language === '' && isFlowchart(fence));
  if (plain) {
    const message = 'The block with the flowchart should begin with ```mermaid';
    const warnings = [{ code: 'UNMARKED_FLOWCHART', offset: plain.start, message }];
    return { start: plain.contentStart, end: plain.contentEnd, bare: false, warnings };
  }
  if (!diagramHeader.test(prepareText(source.slice(bodyStart)).text)) return undefined;
  return { start: bodyStart, end: source.length, bare: true, warnings: [] };
}
