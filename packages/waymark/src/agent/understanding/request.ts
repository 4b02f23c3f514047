import { classifySentence, type Classification } from './classify.ts';
import type { DateContext } from './date-context.ts';
import { type OtherRequest, readOther } from './other.ts';
import { type AddRequest, readAdd, readEmbeddedReminder } from './read-add.ts';
import { type ListRequest, readList } from './read-list.ts';
import { type CompleteRequest, type DeleteRequest, readComplete, readDelete } from './read-target.ts';
import type { UpdateRequest } from './patch.ts';
import { readUpdate } from './read-update.ts';
import { readTarget } from './target.ts';
import { doneVerbs, statementRules } from './rules-statement.ts';
import { readSentence, type Sentence } from './sentence.ts';
import { taskNoun } from './vocabulary.ts';

export type Request = AddRequest | ListRequest | CompleteRequest | DeleteRequest | UpdateRequest | OtherRequest;

const statementIds = new Set(statementRules.map(({ id }) => id));

/** Everything a message asks for, in the order it was said. */
export function understand(message: string, dates: DateContext): Request[] {
  const urgent = /^\s*(?:urgent|important)\s*[:!,-]\s*(?=\S)/i.exec(message);
  if (urgent) return understand(message.slice(urgent[0].length), dates).map(asUrgent);
  const sentence = readSentence(message);
  return splitCommands(sentence).map((part) => readRequest(part, dates));
}

/** "Urgent: add …" */
function asUrgent(request: Request): Request {
  if (request.intent !== 'add') return request;
  return { ...request, tasks: request.tasks.map((task) => ({ priority: 'high', ...task })) };
}

/** Reads the message as one request, whatever conjunctions it holds. */
export function understandWhole(message: string, dates: DateContext): Request {
  return readRequest(readSentence(message), dates);
}

function readRequest(sentence: Sentence, dates: DateContext): Request {
  const classified = classifySentence(sentence);
  return readAs(classified.intent, classified, sentence, dates);
}

/** The candidate of a request that is only about tasks if one of them is meant. */
export function readCandidate(request: OtherRequest, dates: DateContext): Request | undefined {
  if (!request.candidate) return undefined;
  const sentence = readSentence(request.text);
  return readAs(request.candidate, classifySentence(sentence), sentence, dates);
}

function readAs(
  intent: Classification['intent'],
  classified: Classification,
  sentence: Sentence,
  dates: DateContext,
): Request {
  const { core, rule } = classified;
  switch (intent) {
    case 'add':
      return withAlternative(
        withAntecedent(readEmbeddedReminder(sentence, dates) ?? readAdd(core, dates), core, sentence, dates),
        core,
        dates,
      );
    case 'list':
      return readList(core, dates);
    case 'complete':
      return withMeaning(
        readComplete(core, rule !== undefined && (statementIds.has(rule) || rule === 'done-prefix'), dates),
        core,
        sentence,
        dates,
      );
    case 'delete':
      return withMeaning(readDelete(core, dates), core, sentence, dates);
    case 'update':
      return withMeaning(readUpdate(core, dates), core, sentence, dates);
    case 'other':
      return readOther(classified, sentence.slice(0));
  }
}

const noteTo =
  /^(?:add|attach|put|write|append) (?:an? |the |some )?(?:notes?|description|comment|details?) (?:to|on|for) .+ ?: ?\S/;

function withAlternative(request: AddRequest, core: Sentence, dates: DateContext): AddRequest {
  return noteTo.test(core.plain) ? { ...request, alternative: readUpdate(core, dates) } : request;
}

/** "I bought cheese, take it off the list": the pronoun stands for what was bought. */
function withMeaning<T extends CompleteRequest | DeleteRequest | UpdateRequest>(
  request: T,
  core: Sentence,
  sentence: Sentence,
  dates: DateContext,
): T {
  if (request.target.kind !== 'pronoun') return request;
  const before = saidBefore(core, sentence);
  const classified = before && classifySentence(before);
  const object = before?.plain.match(
    /^(?:we|i)(?: already| still| do)*(?: have| got| found)(?: some| enough| the)? (.+)$/,
  )?.[1];
  if (object) return { ...request, target: readTarget(object, dates) };
  if (classified?.intent !== 'complete') return request;
  const { target } = readComplete(classified.core, true, dates);
  return target.kind === 'name' ? { ...request, target } : request;
}

function saidBefore(core: Sentence, sentence: Sentence): Sentence | undefined {
  const at = sentence.plain.lastIndexOf(core.plain);
  const before = sentence
    .part(0, Math.max(0, at))
    .plain.replace(/(?: ?(?:,|-|so|and|please|can you|could you|will you|would you|just))+$/, '');
  return before ? sentence.part(0, before.length) : undefined;
}

/** "Eggs, please add them to the list": the pronoun stands for what was said before. */
function withAntecedent(request: AddRequest, core: Sentence, sentence: Sentence, dates: DateContext): AddRequest {
  if (!request.pronoun) return request;
  const said = saidBefore(core, sentence);
  if (!said) return request;
  const classified = classifySentence(said);
  if (classified.intent === 'add') return readAdd(classified.core, dates);
  const isThing =
    said.plain.split(' ').length <= 5 && !/\b(?:i|we|you|is|are|was|were|have|has|it|that)\b/.test(said.plain);
  return isThing ? readAdd(readSentence(`add ${said.slice(0)}`), dates) : request;
}

const joint =
  /(?: ?[,;.?] (?:and then |and also |and |then |also |please )*| (?:and then|and also|and please|and|then|also|plus) )/g;
const command = new RegExp(
  String.raw`^(?:please |can you |could you |also |then )*(?:(?:show|list|display|read|tell me|give me)\b.*\b(?:${taskNoun}|what|whats|it|them|overdue|everything|due)\b|whats? |what is |add \S|create \S|remind me |set a reminder|make a (?:task|reminder)|new (?:task|todo)|mark \S|check off |tick off |(?:delete|remove|erase|get rid of|cancel|complete|finish|rename|reschedule|postpone|update|change|move|uncheck|reopen) \S|remember to |how many )`,
);
const furtherReport = new RegExp(
  String.raw`^(?:also |then |i |we |i have |ive )*(?:${doneVerbs}) (?:the |my |our |\S+)`,
);
const explicit = new RegExp(
  String.raw`\b(?:${taskNoun}|as (?:done|complete|completed|finished)|it|that|them|number|quoted|off)\b`,
);

/** "Add milk and show my list" are two requests; "add buy salt and pepper" is one. */
function splitCommands(sentence: Sentence): Sentence[] {
  const { plain } = sentence;
  const parts: Sentence[] = [];
  let from = 0;
  for (const match of plain.matchAll(joint)) {
    const left = sentence.part(from, match.index);
    const right = plain.slice(match.index + match[0].length);
    const isCommand = command.test(right) ? separates(left, right, match[0]) : isFurtherReport(left, right);
    if (!left.plain || !isCommand) continue;
    parts.push(left);
    from = match.index + match[0].length;
  }
  parts.push(sentence.part(from));
  return parts.length === 1 ? [sentence] : parts;
}

/** "I bought the milk and paid the rent" reports two things. */
function isFurtherReport(left: Sentence, right: string): boolean {
  if (!furtherReport.test(right)) return false;
  const { intent, rule } = classifySentence(left);
  return intent === 'complete' && rule !== undefined && statementIds.has(rule);
}

/** After "add …" a further command must be sure to be one, for titles may hold any verb. */
function separates(left: Sentence, right: string, between: string): boolean {
  const { intent } = classifySentence(left);
  if (
    intent === 'other' ||
    /^(?:find|go to|open|access|look up|pull up|go into|check|get)\b.*\blists?$/.test(left.plain)
  )
    return false;
  if (intent !== 'add') return intent !== 'update' || !/^(?:change|update|move) /.test(right) || explicit.test(right);
  if (
    /^(?:please |also |then )*(?:show|list|display|read|tell me|give me|what|add|create|remind|set a|new|make a|how many)\b/.test(
      right,
    )
  )
    return true;
  const ownClause = right.split(/ (?:and|then) | ?[,;] /)[0] ?? right;
  return explicit.test(ownClause) || /[;.]|then/.test(between);
}
