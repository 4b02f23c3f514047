const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+(?:['’‑-][\p{L}\p{N}]+)*/gu;

/** Words as writers count them; in scripts without spaces every character is one. */
export function countWords(text: string): number {
  let count = 0;
  word.lastIndex = 0;
  while (word.test(text)) count++;
  return count;
}
