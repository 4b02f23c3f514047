/** One content line of RFC 5545: `NAME;PARAM=VALUE:value`. */
export interface ContentLine {
  readonly line: number;
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

/** Joins folded lines and takes each apart. Lines that are none are given back as `broken`. */
export function readContentLines(text: string): { lines: ContentLine[]; broken: number[] } {
  const lines: ContentLine[] = [];
  const broken: number[] = [];
  let pending: { line: number; text: string } | undefined;
  const flush = () => {
    if (!pending || pending.text.trim() === '') return;
    const parsed = readContentLine(pending.line, pending.text);
    if (parsed) lines.push(parsed);
    else broken.push(pending.line);
  };
  for (const [index, row] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (/^[ \t]/.test(row) && pending) pending.text += row.slice(1);
    else {
      flush();
      pending = { line: index + 1, text: row };
    }
  }
  flush();
  return { lines, broken };
}

function readContentLine(line: number, text: string): ContentLine | undefined {
  const name = /^[A-Za-z0-9-]+/.exec(text)?.[0];
  if (!name) return undefined;
  const parameters = new Map<string, string>();
  const parameter = /;([A-Za-z0-9-]+)=((?:"[^"]*"|[^";:,])*(?:,(?:"[^"]*"|[^";:,])*)*)/y;
  parameter.lastIndex = name.length;
  let end = name.length;
  for (let match = parameter.exec(text); match; match = parameter.exec(text)) {
    parameters.set((match[1] ?? '').toUpperCase(), (match[2] ?? '').replaceAll('"', ''));
    end = parameter.lastIndex;
  }
  if (text[end] !== ':') return undefined;
  return { line, name: name.toUpperCase(), parameters, value: text.slice(end + 1) };
}

export function unescapeText(value: string): string {
  return value.replaceAll(/\\([nN;,\\])/g, (_whole, character: string) => (/n/i.test(character) ? '\n' : character));
}

/** Splits a list at commas that are not escaped. */
export function splitList(value: string): string[] {
  return (value.match(/(?:\\.|[^,\\])+/gs) ?? []).map((item) => unescapeText(item).trim());
}

export function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
}

/** Lines end with CRLF and are folded after 75 bytes, never inside a character. */
export function foldLine(line: string): string {
  let folded = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 75) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return `${folded}\r\n`;
}
