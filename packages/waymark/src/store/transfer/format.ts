/**
 * An export is lines of JSON: a header, then for each table a line that names it and its columns, followed by one
 * array of texts per row, and a last line with the number of rows, without which the file is not complete.
 */
export const formatVersion = 1;

export interface Header {
  readonly waymark: 'export';
  readonly format: number;
  readonly migrations: readonly string[];
}

export interface TableLine {
  readonly table: string;
  readonly columns: readonly string[];
}

export interface EndLine {
  readonly end: true;
  readonly rows: number;
}

/** Values as Postgres writes them as text: the same on every back end and version, nothing rounded. */
export type Row = readonly (string | null)[];

export type Line = Header | TableLine | EndLine | Row;

export function parseLine(text: string, number: number): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TransferError(`line ${number} is not JSON`);
  }
  if (isRow(value) || isHeader(value) || isTableLine(value) || isEndLine(value)) return value;
  throw new TransferError(`line ${number} is neither a table, a row nor the end`);
}

/** The file or the store is not as it must be. */
export class TransferError extends Error {}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

export const isRow = (value: unknown): value is Row =>
  Array.isArray(value) && value.every((item) => item === null || typeof item === 'string');

export const isHeader = (value: unknown): value is Header =>
  isFields(value) && value['waymark'] === 'export' && Number.isInteger(value['format']) && isTexts(value['migrations']);

export const isTableLine = (value: unknown): value is TableLine =>
  isFields(value) && typeof value['table'] === 'string' && isTexts(value['columns']);

export const isEndLine = (value: unknown): value is EndLine =>
  isFields(value) && value['end'] === true && Number.isInteger(value['rows']);
