import { describe, expect, test } from 'vitest';
import { readQuickTask } from './quick-add.ts';

const now = new Date('2026-11-18T15:30:00-05:00');
const read = (text: string) => readQuickTask(text, now, 'America/New_York');

describe('quick entry', () => {
  test.each([
    [
      'buy milk p1 #errands tomorrow',
      { title: 'buy milk', priority: 'high', labels: ['errands'], dueDate: '2026-11-19' },
    ],
    ['#home @phone call mom !low', { title: 'call mom', priority: 'low', labels: ['home', 'phone'], dueDate: null }],
    [
      'pay rent every month on the 1st p2 #home',
      { title: 'pay rent', recurrence: 'FREQ=MONTHLY;BYMONTHDAY=1', dueDate: '2026-12-01', priority: 'medium' },
    ],
    [
      'water plants every monday at 9am',
      { title: 'water plants', recurrence: 'FREQ=WEEKLY;BYDAY=MO', dueDate: '2026-11-23T09:00:00-05:00' },
    ],
    ['standup every weekday from monday', { recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' }],
    [
      'fix issue #5 in p1x and mail bob@example.com',
      { title: 'fix issue #5 in p1x and mail bob@example.com', labels: [] },
    ],
    ['read "#tags tomorrow p1"', { title: 'read "#tags tomorrow p1"', priority: 'medium', labels: [], dueDate: null }],
    ['learn #C++ and #Größe #größe', { labels: ['C', 'Größe'] }],
    ['really!! urgent!', { title: 'really!! urgent!', priority: 'medium' }],
    ['call @Anna-Lena.', { labels: ['Anna-Lena'] }],
  ])('%s', (text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });

  test('refuses a date that cannot be', () => {
    expect(() => read('party on february 30')).toThrow('Could not parse date');
  });
});
