export type Priority = 'low' | 'medium' | 'high';

const words: readonly (readonly [Priority, RegExp])[] = [
  [
    'low',
    /\b(?:low(?:er|est)?[- ]?prio(?:rity)?|not (?:very |that |so )?(?:urgent|important)|less important|unimportant|no rush|p[34]|!low|low)\b/i,
  ],
  ['medium', /\b(?:(?:medium|normal|regular|moderate)[- ]?prio(?:rity)?|p2|!medium|medium|normal)\b/i],
  [
    'high',
    /\b(?:(?:high(?:er|est)?|top|max(?:imum)?)[- ]?prio(?:rity)?|urgent(?:ly)?|important|critical|asap|p1|!high|high|top)\b/i,
  ],
];

/** The priority a text names as a whole, such as `high`, `top priority`, `urgent`. */
export function readPriority(text: string): Priority | undefined {
  const rest = text.trim().replace(/^(?:a|an|the|as|to|with|very|really|super)\s+/i, '');
  return words.find(([, pattern]) => new RegExp(`^(?:very |really )?${pattern.source}(?: now)?$`, 'i').test(rest))?.[0];
}

export interface PriorityPhrase {
  readonly priority: Priority;
  readonly start: number;
  readonly end: number;
}

const phrases: readonly (readonly [Priority, RegExp])[] = [
  [
    'low',
    /[\s,(-]*\b(?:(?:with|as|at|it'?s|its|this is|that'?s|is|make it|mark it(?: as)?)\s+)*(?:an?\s+)?(?:low(?:er)?[- ]prio(?:rity)?|not (?:very |that |so )?(?:urgent|important)|no rush)\b\)?|(?:^|\s)(?:p[34]|!low)(?=\s|$|,)/i,
  ],
  [
    'medium',
    /[\s,(-]*\b(?:(?:with|as|at|it'?s|is|make it)\s+)*(?:an?\s+)?(?:medium|normal)[- ]prio(?:rity)?\b\)?|(?:^|\s)(?:p2|!medium)(?=\s|$|,)/i,
  ],
  [
    'high',
    /[\s,(-]*\b(?:(?:with|as|at|it'?s|its|it is|this is|that'?s|is|make it|mark it(?: as)?|and)\s+)*(?:(?:an?|very|really|super|pretty)\s+)*(?:(?:high(?:er|est)?|top)[- ]prio(?:rity)?)\b\)?|[\s,(-]*\b(?:it'?s|its|it is|this is|that'?s|this one'?s|make it|mark it(?: as)?|and it'?s|very|super)\s+(?:(?:very|really|super|pretty|quite)\s+)*(?:important|urgent|critical)\b\)?|,\s*(?:very |really )?(?:important|urgent|critical|asap)\b|^(?:urgent|important)\s*[:!-]\s*|[\s,]+asap\b|(?:^|\s)(?:p1|!high|!!!?)(?=\s|$|,)/i,
  ],
];

/** Where a sentence names a priority beside what is to be done. */
export function findPriority(text: string): PriorityPhrase | undefined {
  const masked = text.replaceAll(/"[^"]*"|“[^”]*”/g, (quoted) => '\0'.repeat(quoted.length));
  for (const [priority, pattern] of phrases) {
    const match = pattern.exec(masked);
    if (match) return { priority, start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}
