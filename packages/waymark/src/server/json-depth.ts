const shallow = 2_000;

/** Whether JSON text nests deeper than `limit`. Text too short to nest dangerously is not looked at. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  if (text.length < shallow) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}
