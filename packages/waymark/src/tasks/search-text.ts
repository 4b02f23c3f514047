/**
 * Text for searching, made here and not by the database: upper and lower case, accents and widths
 * are folded by the same rules wherever the data lies, while `lower()` and `ilike` follow the locale
 * a database was created with.
 */
export function foldForSearch(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\u0300-\u036F\u200B-\u200D\u2060\uFEFF\u00AD]|\p{Cc}|\p{Surrogate}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')
    .trim();
}

export function searchTextOf(title: string, description: string | null): string {
  return `${foldForSearch(title)}\n${foldForSearch(description ?? '')}`;
}

/**
 * The keys a task is indexed under: every piece of two and three characters, and single characters
 * that are rare or mean something alone (digits, ideographs). The owner is part of each key, so a
 * search reads one owner's entries however many others there are.
 */
export function gramsOf(userId: string, searchText: string, labels: readonly string[] = []): number[] {
  const seed = hash(userId, 0x811c9dc5);
  const keys = new Set<number>(labels.map((label) => hash(labelKey(label), seed)));
  for (const line of searchText.split('\n')) {
    const characters = Array.from(line);
    for (let start = 0; start < characters.length; start++) {
      const first = characters[start] ?? '';
      if (!isCommon(first)) keys.add(hash(first, seed));
      const pair = first + (characters[start + 1] ?? '');
      if (start + 1 < characters.length) keys.add(hash(pair, seed));
      if (start + 2 < characters.length) keys.add(hash(pair + (characters[start + 2] ?? ''), seed));
    }
  }
  return [...keys];
}

/** The key a task with this label is indexed under. */
export function gramOfLabel(userId: string, label: string): number {
  return hash(labelKey(label), hash(userId, 0x811c9dc5));
}

/** No piece of a text contains a line break, so a label is never taken for one. */
function labelKey(label: string): string {
  return `\n${label}`;
}

const mostKeys = 5;

/** Keys every match must have, the ones likely to be rare. Empty for a single common letter: then nothing narrows. */
export function gramsOfTerm(userId: string, folded: string): number[] {
  const seed = hash(userId, 0x811c9dc5);
  const characters = Array.from(folded);
  if (characters.length === 1) return isCommon(folded) ? [] : [hash(folded, seed)];
  const size = Math.min(3, characters.length);
  const pieces = new Set<string>();
  for (let start = 0; start + size <= characters.length; start++) {
    pieces.add(characters.slice(start, start + size).join(''));
  }
  return [...pieces]
    .toSorted((left, right) => rarity(right) - rarity(left))
    .slice(0, mostKeys)
    .map((piece) => hash(piece, seed));
}

/** A guess without statistics: digits, ideographs and seldom letters make a piece rare, spaces make it frequent. */
function rarity(piece: string): number {
  let score = 0;
  for (const character of piece) {
    if (!isCommon(character) || 'jqxz'.includes(character)) score += 3;
    else if ('bfgkmpvwy'.includes(character)) score += 1;
    else if (character === ' ') score -= 1;
  }
  return score;
}

function isCommon(character: string): boolean {
  return /^[a-z ]$/.test(character);
}

/** FNV-1a over UTF-16 units, as a signed 32-bit number like the column. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    value = Math.imul(value ^ (unit & 0xff), 0x01000193);
    value = Math.imul(value ^ (unit >>> 8), 0x01000193);
  }
  return value | 0;
}
