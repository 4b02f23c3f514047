import type { ToolResult } from './host-model.ts';
import { number, record, records, text, texts } from './read.ts';

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
  readonly notAssessed: string;
  readonly lines: readonly Line[];
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
  /** What to say if the learner asks for a hint now and the server has no tool for it. */
  readonly hint: string;
}

export function readReply(result: ToolResult): Reply {
  const content = record(result.structuredContent);
  return {
    text: text(content['characterResponse']),
    turn: number(content['turnNumber']),
    hintAvailable: content['hintAvailable'] === true,
    sceneOver: record(result._meta)['sceneOver'] === true,
    hint: text(record(result._meta)['hint']),
  };
}

export function readHint(result: ToolResult): string {
  return text(record(result.structuredContent)['hint']);
}

export function readFeedback(result: ToolResult): Feedback {
  const content = record(result.structuredContent);
  const full = record(record(result._meta)['fullFeedback']);
  return {
    title: '',
    summary: text(content['summary']),
    positives: texts(content['positives']).map(finding),
    improvements: texts(content['improvements']).map(finding),
    gaps: texts(content['revealedGaps']).map(inWords),
    notAssessed: text(full['notAssessed']),
    lines: transcriptLines(full['transcript']),
    hintsUsed: number(full['hintsUsed']),
  };
}

/** A sentence such as `Turn 2, “okay, 120 then”: you gave a discount. …` taken apart; others stay whole. */
function finding(sentence: string): Finding {
  const parts = /^Turn (\d+), “(.+?)”: (.+)$/su.exec(sentence);
  if (!parts) return { text: sentence, quote: '', turn: 0 };
  const [, turn = '', quote = '', rest = ''] = parts;
  return { text: rest.charAt(0).toUpperCase() + rest.slice(1), quote, turn: Number(turn) };
}

/** `handling_discount_requests` as people read it. */
function inWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function transcriptLines(transcript: unknown): readonly Line[] {
  return records(transcript).flatMap(({ you, character }): Line[] => [
    { by: 'learner', text: text(you) },
    { by: 'character', text: text(character) },
  ]);
}
