export { exportLines } from './export-store.ts';
export { TransferError } from './format.ts';
export { importLines, type ImportMode, type ImportResult } from './import-store.ts';
export { readLines, writeLines } from './lines-file.ts';
