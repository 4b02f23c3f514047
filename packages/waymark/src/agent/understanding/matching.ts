/** The part of a task that matching looks at. */
export interface Named {
  readonly title: string;
  readonly completed: boolean;
}

const stopWords = new Set(
  'a an the my our your his her their to of for on in at with and or from by about task tasks todo todos reminder reminders item items list thing one it that this some please is are was be do up'.split(
    ' ',
  ),
);

interface Word {
  readonly raw: string;
  readonly stem: string;
}

/** The words of a text that tell it from others, in their plainest form. */
export function keyWords(text: string): string[] {
  return wordsOf(text).map((word) => word.stem);
}

function wordsOf(text: string): Word[] {
  const words =
    text
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? [];
  const kept = words.filter((word) => !stopWords.has(word));
  return (kept.length > 0 ? kept : words).map((raw) => ({ raw, stem: stem(raw) }));
}

function stem(word: string): string {
  const bare = word.replace(/'s$/, '').replaceAll("'", '');
  if (bare.length <= 3) return bare;
  return bare
    .replace(/ies$/, 'y')
    .replace(/(?<=[sxz]|ch|sh)es$/, '')
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=\p{L}{3})ing$/u, '')
    .replace(/(?<=\p{L}{3})ed$/u, '');
}

/** The same word in another form ("washing", "wash"; "making", "make") or with one slip in it. */
function sameWord(left: Word, right: Word): boolean {
  if (left.stem === right.stem || `${left.stem}e` === right.stem || `${right.stem}e` === left.stem) return true;
  return isSlip(left.stem, right.stem) || isSlip(left.raw, right.raw);
}

function isSlip(left: string, right: string): boolean {
  return Math.min(left.length, right.length) >= 5 && isOneEditAway(left, right);
}

function isOneEditAway(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1) return false;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * The tasks a name means: those of exactly that title, else those that have all its words, else
 * those that contain it. Open tasks come before completed ones, which count only when no open one fits.
 */
export function matchTasks<T extends Named>(name: string, tasks: readonly T[]): T[] {
  return preferOpen(matchByName(name, tasks));
}

function matchByName<T extends Named>(name: string, tasks: readonly T[]): T[] {
  const wanted = plain(name);
  const exact = tasks.filter(({ title }) => plain(title) === wanted);
  if (exact.length > 0) return exact;
  const words = wordsOf(name);
  const withAllWords = tasks.filter(({ title }) => {
    const titleWords = wordsOf(title);
    return words.every((word) => titleWords.some((other) => sameWord(word, other)));
  });
  if (withAllWords.length > 0) return withAllWords;
  return wanted.length >= 4 ? tasks.filter(({ title }) => ` ${plain(title)}`.includes(` ${wanted}`)) : [];
}

/** The tasks a report such as "I sent the report to Bob" may be about: every word of theirs is in it. */
export function matchReport<T extends Named>(object: string, verb: string | undefined, tasks: readonly T[]): T[] {
  const direct = matchByName(object, tasks);
  const words = [...wordsOf(object), ...(verb ? wordsOf(verb) : [])];
  const found =
    direct.length > 0
      ? direct
      : tasks.filter(({ title }) => {
          const titleWords = wordsOf(title);
          return titleWords.length > 1 && titleWords.every((word) => words.some((other) => sameWord(word, other)));
        });
  const open = preferOpen(found);
  if (!verb || open.length < 2) return open;
  const sameVerb = open.filter(({ title }) =>
    wordsOf(title).some((word) => sameWord(word, { raw: verb, stem: stem(verb) })),
  );
  return sameVerb.length === 1 ? sameVerb : open;
}

function preferOpen<T extends Named>(tasks: readonly T[]): T[] {
  const open = tasks.filter((task) => !task.completed);
  return open.length > 0 ? open : [...tasks];
}
