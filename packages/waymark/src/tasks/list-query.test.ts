import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../store/index.ts';
import { describeStores } from '../store/store.test-helpers.ts';
import { type ListCursor, listTasks, type TaskFilter } from './list-query.ts';
import type { TaskContent } from './model.ts';
import { onPool } from './queryable.ts';
import { foldForSearch } from './search-text.ts';
import { insertTasks } from './task-store.ts';
import { addUsers } from './tasks.test-helpers.ts';

const words = ['milk', 'Milch', 'café', 'tea', 'rent', '買い物', 'ok', 'x', '100%', 'a_b', 'Σίσυφος', 'straße'];
const now = new Date('2026-11-18T20:30:00Z');
const size = 3000;

/** Frequent words everywhere, one word in every 300th task, one in the last only. */
function contentOf(index: number): TaskContent {
  const pick = (step: number) => words[(index * step + Math.floor(index / 7)) % words.length] ?? '';
  const rare = index % 300 === 299 ? ' seldom' : '';
  return {
    title: `${pick(1)} ${pick(5)} ${index}${rare}${index === size - 1 ? ' only-once' : ''}`,
    description: index % 4 === 0 ? `for ${pick(3)}` : null,
    dueDate: null,
    priority: (['low', 'medium', 'high'] as const)[index % 3] ?? 'low',
    completed: index % 10 === 0,
    completedAt: index % 10 === 0 ? now : null,
    labels: index % 50 === 0 ? ['home'] : [],
    recurrence: null,
  };
}

describeStores('searching a long list', (open) => {
  let store: Store;
  const tasks = Array.from({ length: size }, (_, index) => ({ id: `task_${index}`, content: contentOf(index) }));

  beforeAll(async () => {
    store = await open();
    await addUsers(store, 'u1', 'u2');
    for (const userId of ['u1', 'u2']) {
      const own = tasks.map(({ id, content }) => ({ id: `${id}_${userId}`, content }));
      for (let start = 0; start < size; start += 500) {
        await insertTasks(onPool(store), own.slice(start, start + 500), { userId, at: now, batch: 'b' });
      }
    }
  });
  afterAll(() => store.close());

  /** What a person going through the list would pick. */
  function expected(filter: TaskFilter): string[] {
    const term = foldForSearch(filter.search ?? '');
    const fits = ({ content }: (typeof tasks)[number]) =>
      (filter.completed === undefined || content.completed === filter.completed) &&
      (filter.priority === undefined || content.priority === filter.priority) &&
      (filter.label === undefined || content.labels.includes(filter.label)) &&
      [content.title, content.description ?? ''].some((text) => foldForSearch(text).includes(term));
    const found = tasks.filter(fits);
    return [
      ...found.filter(({ content }) => !content.completed),
      ...found.filter(({ content }) => content.completed),
    ].map(({ id }) => `${id}_u1`);
  }

  async function everyPage(filter: TaskFilter, limit: number): Promise<string[]> {
    const ids: string[] = [];
    let cursor: ListCursor | undefined;
    do {
      const page = await listTasks(onPool(store), 'u1', filter, limit, cursor);
      ids.push(...page.tasks.map(({ id }) => id));
      cursor = page.next;
    } while (cursor);
    return ids;
  }

  test('finds what a person would find, page by page, on every store [TASK-LIST-SEARCH]', async () => {
    const anyTerm = fc.oneof(
      fc.constantFrom(
        ...words,
        'seldom',
        'only-once',
        'MILK',
        'σισυφοσ',
        'STRASSE',
        'nothing',
        'lk t',
        'for milk',
        '%',
        '_',
        '29',
        ' ',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
    );
    const anyFilter = fc.record(
      {
        search: anyTerm,
        completed: fc.boolean(),
        priority: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
        label: fc.constantFrom('home', 'none'),
      },
      { requiredKeys: ['search'] },
    );
    await fc.assert(
      fc.asyncProperty(anyFilter, fc.constantFrom(37, 100, 500), async (filter, limit) => {
        expect(await everyPage(filter, limit)).toEqual(expected(filter));
      }),
      { numRuns: process.env['WAYMARK_FULL'] ? 500 : 25 },
    );
  });

  test.each(['seldom', 'only-once', 'milk', 'nothing at all'])(
    '"%s" takes the right way and finds all',
    async (search) => {
      expect(await everyPage({ search }, 50)).toEqual(expected({ search }));
    },
  );
});
