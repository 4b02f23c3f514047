export interface CsvRow {
  /** The line the row starts on, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** RFC 4180: quoted cells may hold commas, doubled quotes and line breaks. */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let startLine = 1;
  const endRow = () => {
    cells.push(cell);
    if (cells.length > 1 || cell !== '') rows.push({ line: startLine, cells });
    cells = [];
    cell = '';
  };
  const source = text.replace(/^\uFEFF/, '');
  for (let index = 0; index < source.length; index++) {
    const character = source[index];
    if (character === '\n') line++;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (source[index + 1] === '"') cell += source[index++];
      else quoted = false;
    } else if (character === '"' && cell === '') quoted = true;
    else if (character === ',') {
      cells.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && source[index + 1] === '\n') {
        index++;
        line++;
      }
      endRow();
      startLine = line;
    } else cell += character;
  }
  endRow();
  return rows;
}

export function formatCsv(rows: readonly (readonly string[])[]): string {
  const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => `${row.map(quote).join(',')}\r\n`).join('');
}
