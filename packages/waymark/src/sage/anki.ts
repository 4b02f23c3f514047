import type { Store } from '../store/index.ts';
import type { Circumstances } from './circumstances.ts';
import { toProof } from './rows.ts';
import { databaseOf } from './tables.ts';

export interface AnkiDeck {
  readonly text: string;
  readonly cards: number;
}

/**
 * Proofs as a text file that Anki imports: the question on the front; on the back what it is about
 * and the learner's own words. The first column is the note's id, so a second import updates.
 */
export async function exportAnki(store: Store, { userId }: Circumstances, deck = 'Waymark'): Promise<AnkiDeck> {
  const rows = await databaseOf(store)
    .selectFrom('sage_proofs')
    .innerJoin('sage_concepts', 'sage_concepts.id', 'sage_proofs.concept_id')
    .selectAll('sage_proofs')
    .select(['sage_concepts.name', 'sage_concepts.display_name', 'sage_concepts.summary', 'sage_concepts.pack_id'])
    .where('sage_proofs.user_id', '=', userId)
    .orderBy('sage_proofs.earned_at')
    .execute();
  const notes = new Map<string, string>();
  for (const row of rows) {
    for (const { check, prompt, quotes } of toProof(row).evidence) {
      const id = `waymark-${row.name}-${check}`;
      const own = quotes.map(({ quote }) => `<li>${escapeHtml(quote)}</li>`).join('');
      const back = `<b>${escapeHtml(row.display_name)}</b><br>${escapeHtml(row.summary)}<br><br>Your words:<ul>${own}</ul>`;
      const tags = ['waymark', row.pack_id, row.name].filter((tag) => tag !== null).join(' ');
      notes.set(id, [id, escapeHtml(prompt), back, tags].map(field).join('\t'));
    }
  }
  const head = [
    '#separator:tab',
    '#html:true',
    `#deck:${deck.replaceAll(/\s+/g, ' ')}`,
    '#guid column:1',
    '#tags column:4',
  ];
  return { text: `${[...head, ...notes.values()].join('\n')}\n`, cards: notes.size };
}

function field(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll(/[\t\r\n]+/g, ' ')}"`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
