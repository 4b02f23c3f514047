import type { Intent, Rule } from './intent.ts';
import { stripLeadIn } from './lead-in.ts';
import { addRules } from './rules-add.ts';
import { completeRules, statusRules } from './rules-complete.ts';
import { deleteRules } from './rules-delete.ts';
import { guardRules } from './rules-guard.ts';
import { listRules } from './rules-list.ts';
import { statementRules } from './rules-statement.ts';
import { updateRules } from './rules-update.ts';
import { readSentence, type Sentence } from './sentence.ts';
import { foreign, foreignContainer, taskNoun, taskVerb } from './vocabulary.ts';

export interface Classification {
  readonly intent: Intent;
  /** What it would be if one of the person's tasks is meant after all ("cancel my flight"). */
  readonly candidate: Intent | undefined;
  /** Which rule decided. */
  readonly rule: string | undefined;
  /** The request without politeness around it, where slots are read from. */
  readonly core: Sentence;
}

const commandRules: readonly Rule[] = [
  ...statusRules,
  ...updateRules,
  ...deleteRules,
  ...completeRules,
  ...addRules,
  ...listRules,
];
const allRules: readonly Rule[] = [...commandRules, ...statementRules];
/** After "I need to …" only talking about the list itself is a request; "finish the report" is a plan. */
const wishRules = allRules.filter((rule) => rule.intent !== 'complete' || rule.id.startsWith('mark-'));

const hasTaskNoun = new RegExp(
  String.raw`\b(?:${taskNoun}|items?|tickets?|number \w+|due date|deadline|priority|title|description)\b`,
);
/** "Let me know when it is time to leave, set a reminder for 5" asks for the reminder. */
const laterReminder = /,.* (?:set (?:me )?a reminder|remind me)\b/;
/** "I paid the bill but it still shows a balance" reports trouble, not success. */
const complaint = /\b(?:but|however|although|why|and it|still shows?|wrong|help|because)\b/;
const clauseBreak =
  / ?[,.;?] (?:and |so |but |then |please )*| (?:so|then|but|because|and then|and please|so please|and so|so just|can you|could you|will you|would you|please|and can you|and could you) | - /;

export function classify(message: string): Classification {
  return classifySentence(readSentence(message));
}

export function classifySentence(sentence: Sentence): Classification {
  const { plain } = sentence;
  if (!/[a-z]/.test(plain)) return { intent: 'other', candidate: undefined, rule: undefined, core: sentence };
  const guard = firstMatch(guardRules, plain.replace(/^(?:ok|okay|so|well|hey|hi|and|but|please|,) (?:, )?/, ''));
  const whole = classifyClause(sentence);
  if (guard) return { ...whole, intent: 'other', candidate: undefined, rule: guard.rule.id };
  const unsure =
    whole.rule === undefined ||
    whole.candidate !== undefined ||
    isStatement(whole) ||
    (whole.intent === 'list' && laterReminder.test(plain));
  return (unsure && classifyClauses(sentence)) || whole;
}

function classifyClause(sentence: Sentence): Classification {
  const stripped = stripLeadIn(sentence.plain);
  const core = sentence.part(stripped.from, stripped.to);
  const match =
    firstMatch(stripped.wish ? wishRules : allRules, core.plain) ?? wishAsStatement(sentence, stripped.wish);
  if (!match) return { intent: 'other', candidate: undefined, rule: undefined, core };
  const { rule, held } = match;
  return held
    ? { intent: 'other', candidate: rule.intent, rule: rule.id, core }
    : { intent: rule.intent, candidate: undefined, rule: rule.id, core };
}

/** "I need milk" and "I need a reminder" are read with their wish. */
function wishAsStatement(sentence: Sentence, wish: boolean): Match | undefined {
  return wish ? firstMatch(allRules, sentence.plain.replace(/(?: (?:please|thanks|\.|!))+$/, '')) : undefined;
}

function classifyClauses(sentence: Sentence): Classification | undefined {
  const clauses = splitClauses(sentence);
  if (clauses.length < 2) return undefined;
  const found = clauses
    .map(classifyClause)
    .filter((one) => one.intent !== 'other' && !(isStatement(one) && complaint.test(sentence.plain)));
  return found.find((one) => !isStatement(one)) ?? found[0];
}

function splitClauses(sentence: Sentence): Sentence[] {
  const clauses: Sentence[] = [];
  let from = 0;
  for (const cut of sentence.plain.matchAll(new RegExp(clauseBreak, 'g'))) {
    clauses.push(sentence.part(from, cut.index));
    from = cut.index + cut[0].length - (cut[0].endsWith(' ') ? 0 : 1);
  }
  clauses.push(sentence.part(from));
  return clauses.filter((clause) => clause.plain);
}

function isStatement({ rule }: Classification): boolean {
  return statementRules.some((one) => one.id === rule);
}

interface Match {
  readonly rule: Rule;
  readonly held: boolean;
}

function firstMatch(rules: readonly Rule[], plain: string): Match | undefined {
  for (const rule of rules) {
    if (!rule.when.test(plain) || rule.unless?.test(plain)) continue;
    return { rule, held: isHeld(rule, plain) };
  }
  return undefined;
}

function isHeld(rule: Rule, plain: string): boolean {
  if (rule.hold?.test(plain)) return true;
  if (hasTaskNoun.test(plain) || taskVerb.test(plain.replace(/^\S+ /, ''))) return false;
  if (/^(?:add|on-the-list|also|delete|drop)$/.test(rule.id) && foreignContainer.test(plain)) return true;
  return rule.ours === true && foreign.test(plain);
}
