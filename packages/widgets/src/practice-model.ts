import type { ToolResult } from './host-model.ts';
import { list, number, record, records, text, texts } from './read.ts';

export interface Scene {
  readonly practice: string;
  readonly title: string;
  readonly description: string;
  readonly sageRole: string;
  readonly userRole: string;
}

/** One line of the conversation: the character, the learner, or a hint between them. */
export interface Line {
  readonly by: 'character' | 'learner' | 'hint' | 'note';
  readonly text: string;
}

export interface Finding {
  readonly text: string;
  readonly quote: string;
  readonly turn: number;
}

export interface Feedback {
  readonly title: string;
  readonly summary: string;
  readonly positives: readonly Finding[];
  readonly improvements: readonly Finding[];
  readonly gaps: readonly string[];
  readonly notAssessed: readonly string[];
  readonly hintsUsed: number;
}

/** The same view opens with the start of a practice or with its end. */
export function isFeedback(result: ToolResult): boolean {
  return 'positives' in record(result.structuredContent);
}

export function readScene(result: ToolResult): Scene {
  const content = record(result.structuredContent);
  const scenario = record(content['scenario']);
  return {
    practice: text(content['practiceSessionId']),
    title: text(scenario['title']),
    description: text(scenario['description']),
    sageRole: text(scenario['sageRole']),
    userRole: text(scenario['userRole']),
  };
}

export function openingLines(result: ToolResult): readonly Line[] {
  return [{ by: 'character', text: text(record(result.structuredContent)['initialMessage']) }];
}

export interface Reply {
  readonly text: string;
  readonly turn: number;
  readonly hintAvailable: boolean;
  readonly sceneOver: boolean;
}

export function readReply(result: ToolResult): Reply {
  const content = record(result.structuredContent);
  return {
    text: text(content['characterResponse']),
    turn: number(content['turnNumber']),
    hintAvailable: content['hintAvailable'] === true,
    sceneOver: record(result._meta)['sceneEnded'] === true,
  };
}

export function readHint(result: ToolResult): string {
  return text(record(result.structuredContent)['hint']);
}

export function readFeedback(result: ToolResult): Feedback {
  const content = record(result.structuredContent);
  const full = record(record(result._meta)['fullFeedback']);
  return {
    title: text(record(full['scenario'])['title']),
    summary: text(content['summary']),
    positives: findings(content['positives'], full['positives']),
    improvements: findings(content['improvements'], full['improvements']),
    gaps: gapNames(content['revealedGaps'], full['revealedGaps']),
    notAssessed: texts(full['notAssessed']),
    hintsUsed: number(full['hintsUsed']),
  };
}

/** The sentences everybody gets, each with the quote and the turn the full feedback has for it. */
function findings(sentences: unknown, detailed: unknown): readonly Finding[] {
  const details = records(detailed);
  return texts(sentences).map((sentence, index) => ({
    text: sentence,
    quote: text(details[index]?.['quote']),
    turn: number(details[index]?.['turn']),
  }));
}

function gapNames(names: unknown, detailed: unknown): readonly string[] {
  const shown = new Map(records(detailed).map((gap) => [text(gap['name']), text(gap['displayName'])]));
  return list(names).map((name) => shown.get(text(name)) || text(name).replaceAll('_', ' '));
}
