export interface ZipEntry {
  readonly path: string;
  readonly content: string;
  /** Kept as it is; the first entry of an EPUB must be. */
  readonly isStored?: boolean;
}

/** Packs files in the order given. The same content and date make the same bytes. */
export async function zip(entries: readonly ZipEntry[], modified: Date): Promise<Uint8Array> {
  const { strToU8, zipSync } = await import('fflate');
  const files = Object.fromEntries(
    entries.map(({ path, content, isStored }) => [path, [strToU8(content), { level: isStored ? 0 : 6 }] as const]),
  );
  // Zip dates have no zone and begin in 1980.
  const earliest = Date.UTC(1980, 0, 2);
  return zipSync(files as never, { mtime: new Date(Math.max(modified.getTime(), earliest)) });
}
