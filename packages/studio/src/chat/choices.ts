/** What can be clicked under an answer: yes and no where it waits for that, the numbers where it asks which one. */
export function choicesOf(reply: string, waitsForYes: boolean): string[] {
  if (waitsForYes) return ['Yes, delete it', 'No, keep it'];
  if (!/which|clarif/i.test(reply)) return [];
  return [...reply.matchAll(/^\s*(\d+)[.)]\s/gm)].map(([, number]) => number ?? '').filter(Boolean);
}
