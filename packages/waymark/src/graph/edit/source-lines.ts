/** The offset of the first character of the line that `offset` is in. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The start of the line after the one where content ends at `offset`: a comment behind it is part of its line. */
export function endOfContent(text: string, offset: number): number {
  let end = offset;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === ' ')) end--;
  const next = text.indexOf('\n', end);
  return next === -1 ? text.length : next + 1;
}

/** The start of the comment lines that stand directly above a line, with the same indentation. */
export function startWithComments(text: string, line: number): number {
  const indentation = /^ */.exec(text.slice(line))?.[0] ?? '';
  let start = line;
  while (start > 0) {
    const above = lineStart(text, start - 1);
    if (!text.startsWith(`${indentation}#`, above)) break;
    start = above;
  }
  return start;
}
