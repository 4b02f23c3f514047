/** Where the first character stands that XML 1.0 cannot hold, or -1. */
export function illegalCharacterAt(text: string): number {
  for (let position = 0; position < text.length; position++) {
    const unit = text.charCodeAt(position);
    if (unit >= 0x20 && unit < 0xd800) continue;
    if (unit < 0x20) {
      if (unit === 0x9 || unit === 0xa || unit === 0xd) continue;
      return position;
    }
    if (unit >= 0xd800 && unit <= 0xdfff) {
      const pair = text.codePointAt(position) ?? 0;
      if (pair <= 0xffff) return position;
      position++;
    } else if (unit >= 0xfffe) return position;
  }
  return -1;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0xa || unit === 0x9 || unit === 0xd;
}

/** Trims what XML calls white space; other spaces, such as a no-break space, are text. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

export function isBlank(text: string): boolean {
  return !/[^ \t\r\n]/.test(text);
}

export function normalizeNewlines(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function resolveReference(name: string): string {
  if (!name.startsWith('#')) return named[name] ?? '';
  const hexadecimal = name.startsWith('#x');
  return String.fromCodePoint(Number.parseInt(name.slice(hexadecimal ? 2 : 1), hexadecimal ? 16 : 10));
}

const contentMarkup = /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[([^]*?)\]\]>|&([^;]+);|\r\n?/g;

/** The character data of well-formed content without child elements. */
export function decodeContent(raw: string): string {
  if (!/[<&\r]/.test(raw)) return raw;
  return raw.replace(contentMarkup, (markup: string, cdata: string | undefined, reference: string | undefined) => {
    if (cdata !== undefined) return normalizeNewlines(cdata);
    if (reference !== undefined) return resolveReference(reference);
    return markup.startsWith('\r') ? '\n' : '';
  });
}

/** The value of a well-formed attribute: literal white space becomes spaces, references are resolved. */
export function decodeAttribute(raw: string): string {
  if (!/[&\t\r\n]/.test(raw)) return raw;
  return raw.replace(/&([^;]+);|\r\n|[\t\r\n]/g, (_markup, reference: string | undefined) =>
    reference === undefined ? ' ' : resolveReference(reference),
  );
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

export function escapeText(text: string): string {
  return text.replaceAll(/[&<>\r]/g, (character) => escapes[character] ?? character);
}

export function escapeAttribute(value: string, quote: '"' | "'" = '"'): string {
  const pattern = quote === '"' ? /[&<>"\t\n\r]/g : /[&<>'\t\n\r]/g;
  return value.replaceAll(pattern, (character) => escapes[character] ?? character);
}

/** A part of a text that never begins or ends inside a surrogate pair. */
export function wholeSlice(text: string, start: number, end = text.length): string {
  const isLow = (position: number) => (text.charCodeAt(position) & 0xfc00) === 0xdc00;
  return text.slice(isLow(start) ? start + 1 : start, end < text.length && isLow(end) ? end - 1 : end);
}
