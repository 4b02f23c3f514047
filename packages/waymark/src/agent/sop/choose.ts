import { keyWords, readConfirmation, readPositions } from '../understanding/index.ts';
import type { Facts, Position } from './model.ts';

type Edge = Position['edges'][number];

/** The edge that known facts decide: `status == pending?` with branches "yes" and "no". */
export function edgeByFacts(
  { description, edges }: Pick<Position, 'description' | 'edges'>,
  facts: Facts,
): Edge | undefined {
  const truth = evaluate(description, facts);
  if (truth !== undefined) {
    const wanted = truth ? /^(?:yes|true)\b/i : /^(?:no|false|else|otherwise)\b/i;
    const fitting = edges.filter(({ condition }) => condition !== null && wanted.test(condition));
    if (fitting.length === 1) return fitting[0];
  }
  const byCondition = edges.filter(({ condition }) => condition !== null && evaluate(condition, facts) === true);
  return byCondition.length === 1 ? byCondition[0] : undefined;
}

/** A comparison such as `status == pending?` or `balance >= amount`, if both sides are known. */
function evaluate(text: string, facts: Facts): boolean | undefined {
  const match = /^\s*([\w .-]+?)\s*(==|=|!=|>=|<=|>|<|\bis not\b|\bis\b)\s*['"]?([\w .-]+?)['"]?\s*\??\s*$/i.exec(text);
  const [, name, operator, right] = match ?? [];
  if (name === undefined || operator === undefined || right === undefined) return undefined;
  const left = factOf(name, facts);
  if (left === undefined) return undefined;
  const other = factOf(right, facts) ?? right;
  const [one, two] = [Number(left), Number(other)];
  const areNumbers = !Number.isNaN(one) && !Number.isNaN(two);
  switch (operator.toLowerCase()) {
    case '==':
    case '=':
    case 'is':
      return String(left).toLowerCase() === String(other).toLowerCase();
    case '!=':
    case 'is not':
      return String(left).toLowerCase() !== String(other).toLowerCase();
    case '>=':
      return areNumbers ? one >= two : undefined;
    case '<=':
      return areNumbers ? one <= two : undefined;
    case '>':
      return areNumbers ? one > two : undefined;
    default:
      return areNumbers ? one < two : undefined;
  }
}

/** A fact by its name, however it is spelled: `order id`, `order_id`, `orderId`. */
export function factOf(name: string, facts: Facts): string | number | boolean | undefined {
  const wanted = plainName(name);
  const found = Object.entries(facts).find(([key]) => plainName(key) === wanted)?.[1];
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? found : undefined;
}

export function plainName(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/^(?:the|new|your)\s+/, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/** What an answer picks from labelled options: a number, the label, or words that only one label has. */
export function pickOption<T extends { readonly label: string }>(answer: string, options: readonly T[]): T | undefined {
  const lower = answer
    .trim()
    .toLowerCase()
    .replace(/[.!?]+$/, '');
  const [position] = readPositions(lower) ?? [];
  if (position !== undefined) return options.at(position < 0 ? position : position - 1);
  const exact = options.find(({ label }) => label.toLowerCase() === lower);
  if (exact) return exact;
  const verdict = readConfirmation(answer);
  const byVerdict = options.filter(({ label }) => verdict !== 'unclear' && label.toLowerCase().startsWith(verdict));
  if (byVerdict.length === 1) return byVerdict[0];
  return pickByWords(lower, options);
}

/** Only a label that shares more words with the text than any other is taken. */
export function pickByWords<T extends { readonly label: string }>(text: string, options: readonly T[]): T | undefined {
  const words = new Set(keyWords(text));
  const scored = options
    .map((option) => ({ option, score: keyWords(option.label).filter((word) => words.has(word)).length }))
    .toSorted((left, right) => right.score - left.score);
  const [best, next] = scored;
  return best && best.score > 0 && best.score > (next?.score ?? 0) ? best.option : undefined;
}
