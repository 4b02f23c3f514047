/** A word of a text: how it reads, its stem, and where it stands. */
export interface Word {
  readonly text: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
  /** Counts sentences and clauses, so that a "not" does not reach into the next one. */
  readonly clause: number;
}

const wordOrBreak =
  /[$€£]?\d+(?:[.,]\d+)*%?|[\p{L}\p{M}]+(?:['’][\p{L}]+)*|[.!?;:\n]+|,\s*(?:but|so|because|while|whereas|and)\b/gu;

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let clause = 0;
  for (const match of text.matchAll(wordOrBreak)) {
    const [found] = match;
    if (/^[.!?;:\n]/.test(found)) {
      clause += 1;
      continue;
    }
    if (found.startsWith(',')) {
      clause += 1;
      const word = found.replace(/^,\s*/, '');
      words.push(toWord(word, match.index + found.length - word.length, clause));
      continue;
    }
    words.push(toWord(found, match.index, clause));
  }
  return words;
}

function toWord(text: string, start: number, clause: number): Word {
  return { text, stem: stem(text), start, end: start + text.length, clause };
}

const irregular: Readonly<Record<string, string>> = {
  said: 'say', says: 'say', told: 'tell', gave: 'give', given: 'give', went: 'go', gone: 'go', got: 'get', gotten: 'get',
  paid: 'pay', felt: 'feel', thought: 'think', knew: 'know', known: 'know', meant: 'mean', took: 'take', taken: 'take',
  made: 'make', chose: 'choose', chosen: 'choose', lost: 'lose', heard: 'hear', held: 'hold', kept: 'keep', left: 'leave',
  led: 'lead', began: 'begin', begun: 'begin', saw: 'see', seen: 'see', spoke: 'speak', spoken: 'speak', wrote: 'write',
  written: 'write', bought: 'buy', sold: 'sell', brought: 'bring', came: 'come', found: 'find', built: 'build',
  better: 'good', best: 'good', worse: 'bad', worst: 'bad', people: 'person', children: 'child', men: 'man', women: 'woman',
  means: 'mean', is: 'be', are: 'be', was: 'be', were: 'be', am: 'be', been: 'be', being: 'be', has: 'have', had: 'have',
  having: 'have', does: 'do', did: 'do', done: 'do', doing: 'do', less: 'less', this: 'this', thus: 'thus', his: 'his',
  was_: 'be', us: 'us', bias: 'bias', basis: 'basis', analyses: 'analysis', data: 'data', always: 'always', during: 'during',
  thing: 'thing', nothing: 'nothing', something: 'something', anything: 'anything', everything: 'everything', need: 'need',
}; // oxfmt-ignore

/** A light English stemmer: enough that prices, pricing and priced meet, and rarely more. */
export function stem(word: string): string {
  const lower = word.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('’', "'").replace(/'s$/, '');
  const special = irregular[lower];
  if (special !== undefined) return special;
  if (lower.length <= 3 || /\d/.test(lower)) return lower;
  return [plural, pastAndGerund, ending].reduce((current, step) => step(current), lower);
}

function plural(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (/(?:sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2);
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

function pastAndGerund(word: string): string {
  const match = /^(.*[aeiouy].*)(ing|ed)$/.exec(word);
  const base = match?.[1];
  if (base === undefined || base.length < 3 || word.endsWith('eed')) return word;
  if (/([bdfgmnprt])\1$/.test(base)) return base.slice(0, -1);
  return base;
}

function ending(word: string): string {
  const base = word
    .replace(/(?:ations?|ators?)$/, 'at')
    .replace(/ements?$/, 'e')
    .replace(/(?:fulness|fully|ful|iveness|ively)$/, (found) => (found.startsWith('f') ? '' : 'ive'))
    .replace(/(.{3})(?:ness|ment|ly)$/, '$1')
    .replace(/i$/, 'y');
  return base.length > 3 ? base.replace(/(?<=.{3})e$/, '') : base;
}

/** Words that carry no subject of their own. */
const functionWords = new Set(
  `a an the and or but so if then than that this these those there here it its i you he she we they me him her us them my your our
  their his to of in on at by for from with as into about be have do will would can could should may might must what which who
  how when where why all any some more most other such too very just also because while up down out over under again once only
  own same each few both between through before after above below not no nor`.split(/\s+/),
);

export function isFunctionWord(word: Word): boolean {
  return functionWords.has(word.text.toLowerCase()) || functionWords.has(word.stem);
}
