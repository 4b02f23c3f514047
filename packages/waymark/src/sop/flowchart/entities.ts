const named: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  deg: '°',
  plusmn: '±',
  times: '×',
  divide: '÷',
  cent: '¢',
  pound: '£',
  yen: '¥',
  euro: '€',
  sect: '§',
  para: '¶',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  harr: '↔',
  ne: '≠',
  le: '≤',
  ge: '≥',
  infin: '∞',
  hearts: '♥',
};

/** Mermaid writes entities as `#quot;` and `#35;`. */
export function decodeEntities(text: string): string {
  if (!text.includes('#')) return text;
  return text.replace(/#(\w+);/g, (entity, name: string) => {
    if (!/^\d+$/.test(name)) return named[name] ?? entity;
    const code = Number(name);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
