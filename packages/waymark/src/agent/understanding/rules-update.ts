import type { Rule } from './intent.ts';
import { dateWord, field, finished, taskNoun } from './vocabulary.ts';

const notFinished = String.raw`(?:not (?:yet |actually |really )?${finished}|isnt ${finished}|un ?done|undone|incomplete|unfinished|uncompleted|un ?completed|not complete|(?:to|as) (?:open|todo|pending|active|outstanding|in progress|unchecked|needs? (?:doing|action)))`;
const urgency = String.raw`(?:priority|urgent|important|critical|p[1-4]|urgency|importance|less important|top of (?:the|my) list|low prio|high prio|prio|to (?:high|low|medium))`;
const target = String.raw`(?:it|that|this|them|those|these|number|no|the|my|our|task|item|todo|reminder|quoted|#|\d)`;

export const updateRules: readonly Rule[] = [
  {
    id: 'rename',
    intent: 'update',
    when: /^(?:re-?name|re-?title|reword|rephrase|relabel)\b|^call (?:it|that|(?:the|my) .*\b(?:task|one|reminder|todo)|(?:task|number|item) \w+)\b.* instead$|^add to the (?:description|notes?|details|title) of\b/,
    unless: /\b(?:yourself|file|folder|playlist|device)\b/,
    example: 'rename buy milk to buy oat milk',
  },
  {
    id: 'clear-field',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:remove|clear|delete|drop|erase|take|get rid of|unset|strip|wipe|cancel|lose)\b(?: \S+){0,8}? (?:due date|due time|deadline|priority|description|due|label|tag|date|time)s?(?: (?:from|of|on|for|off)\b|$)`,
    ),
    unless: new RegExp(
      String.raw`\b(?:all|every|any|high|low|medium|the same)\b.*\b(?:tasks|todos|reminders|items|ones)\b|\b(?:tasks|todos|reminders|items)\b.*\b(?:with|due)\b|\b(?:first|last|next|second) time\b|\bdue (?:on|for)\b`,
    ),
    example: 'remove the due date from pay rent',
  },
  {
    id: 'add-field',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:(?:add|attach|put|assign|append|insert|include|write|apply) (?:an? |the |another |some )?(?:new |extra |high |low |medium )?(?:due date|due time|deadline|priority|description|comment|details?|label|tag|subtask|location)\b(?! (?:task|todo|reminder|item))|(?:add|attach|put|write|append) (?:an? |the |another )?(?:new |quick |short )?notes? (?:to|on) (?:the|my|task|number|it|that|this|\d)(?!.*\blists?$)|give\b.*\b(?:a|an|the|high|higher|low|lower|top|medium|more) (?:new )?(?:due date|deadline|priority|description|name|title|time)\b|(?:tag|label)\b.*\b(?:as|with)\b)`,
    ),
    example: 'add a deadline of friday to the report task',
  },
  {
    id: 'add-to-one-task',
    intent: 'update',
    when: /^(?:add|include|append) .*\b(?:to|in|into) (?:the |my |that |this )(?!(?:same|existing|current|new|list|lists|daily|shopping|grocery|todo|running)\b)(?:\S+ ){1,4}(?:task|reminder|todo item)$/,
    unless: /\b(?:a|an|new) (?:task|reminder|todo)\b/,
    example: 'add bring snacks to the picnic reminder',
  },
  {
    id: 'reopen',
    intent: 'update',
    when: /^(?:undo (?:the )?(?:completion|check|completing)|un-?check|un-?tick|un-?mark|re-?open|un-?complete|un-?finish|re-?activate|unarchive|bring back|restore|undelete)\b/,
    unless: /\b(?:account|card|phone|backup|settings|store|door)\b/,
    example: 'uncheck buy eggs',
  },
  {
    id: 'not-done',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:mark|set|put|flag|change|make|move|turn|switch|update|list|label)\b.*\b${notFinished}\b`,
    ),
    unless: /^list (?:all|my|the|only)?\b/,
    example: 'mark the budget task as not done',
  },
  {
    id: 'not-done-after-all',
    intent: 'update',
    when: new RegExp(
      String.raw`\b(?:is|are|was|were)(?: not|nt) (?:actually |really )?${finished} (?:after all|actually)|^(?:actually )?(?:i|we) (?:did not|didnt|havent|have not) (?:actually|really) (?:do|done|did|finish|finished|complete|completed)\b`,
    ),
    example: "the budget isn't done after all",
  },
  {
    id: 'priority',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:(?:make|mark|set|flag|label|bump|raise|increase|lower|reduce|decrease|drop|upgrade|downgrade|change|move|turn|put|give|boost|treat|rank|have|assign|lift|elevate|demote|promote)\b.*\b${urgency}\b|(?:de-?|re-?)?prioriti[sz]e\b|escalate\b|star\b)`,
    ),
    unless: new RegExp(
      String.raw`\b(?:a|an|another|new) (?:new |important |urgent |critical |high priority )*(?:task|reminder|todo|note|list)\b|^(?:put|have) (?!.*\bpriority\b)|\bimportant (?:date|dates|emails?|contacts?)\b`,
    ),
    example: 'make the groceries task high priority',
  },
  {
    id: 'state-priority',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:actually )?(?:the |my |that |this |it |task |number ).*\b(?:is|are|should be|needs to be|has to be|its|s) (?:now |actually |really |no longer |not )*(?:(?:a )?(?:high|low|medium|top|higher|lower) priority|urgent|important)(?: now| actually)?$`,
    ),
    unless: /\?$/,
    example: 'the tax form is urgent now',
  },
  {
    id: 'instead',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:actually |no |wait |,)*(?:set|make|have|put|change|do|schedule|remind me|i (?:need|want|would like)|id like|my|the|let it|it)\b.*\b(?:${dateWord}|reminders?|due|remind)\b.*\b(?:instead|rather than|not (?:at|on) )|^(?:set|make|have|put|i (?:need|want)|my|the)\b.*\breminders?\b.*\b(?:earlier|later|sooner)\b`,
    ),
    unless: /^(?:set|make|have|put) (?:an? |another |up )?(?:an? )?(?:new )?(?:alarm|timer)|\bset the (?:alarm|timer)/,
    example: 'actually make that tomorrow instead',
  },
  {
    id: 'set-field',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:set|make|have|put)\b(?! (?:a|an|another|up|new)\b).*\b(?:due (?:date|on|by|at|to|for|in|next|this)|due (?:${dateWord})|deadline|due date|title|description)\b`,
    ),
    example: 'set groceries due tomorrow',
  },
  {
    id: 'set-a-field',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:set|put|add|give|enter) (?:an? |the )?(?:new |high |low |medium )?(?:due date|due time|deadline|priority)\b(?! (?:task|todo|reminder|item))`,
    ),
    example: 'set a deadline for the report',
  },
  {
    id: 'make-it-then',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:actually |no |wait |,)*(?:make|set|have|put|do|schedule) (?:it|that|this|them|that one|this one|the (?:last|first|second|third|other) one|(?:the|my) (?:\S+ ){0,4}(?:task|reminder|todo|one|meeting|appointment|call|deadline)|number \w+|task \w+|item \w+)(?: (?:for|to|at|on|by|be|due|until|a|an|happen))*\b.*\b${dateWord}\b`,
    ),
    unless: /\b(?:done|complete|completed|finished|degrees|alarm|timer)\b|\bthis reminder\b|^make it so\b/,
    example: 'make it 5pm',
  },
  {
    id: 'make-it-number',
    intent: 'update',
    when: /^(?:actually |no |wait |,)*make (?:it|that|this) (?:at |for )?\d{1,2}(?: instead)?$/,
    example: 'actually make it 6',
  },
  {
    id: 'its-then',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:actually|no|wait|sorry|oops)(?: ,)? (?:its?|that|the \S+|i meant?)(?: is|s)?(?: on| at| for| by| due| now)* ${dateWord}`,
    ),
    example: 'actually it is on friday',
  },
  {
    id: 'moved',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:the |my |our )\S.*\b(?:(?:is|was|has been|got|are|were|have been|just got) (?:moved|pushed|postponed|rescheduled|delayed|changed|bumped|shifted)(?: (?:back|up|forward|out))? (?:to|until|by|from)|(?:is|are) (?:now|actually) (?:due|on|at|for) |should (?:now )?be (?:on|at|due|moved|changed|for|by|renamed|called)|needs? to (?:be (?:moved|pushed|changed|rescheduled|renamed|updated|postponed)|say|move)|should say)\b`,
    ),
    unless: /\b(?:flight|hotel|reservation|on (?:my|the) list|added)\b|\?$/,
    example: 'the dentist got moved to thursday',
  },
  {
    id: 'now-due',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?!(?:what|whats|which|when|who|is|are|do|does|if|how|remind|add)\b).+ (?:(?:is|are) (?:now|actually) due|(?:is|are) due)\b.*\b${dateWord}(?: now| instead| actually)?$`,
    ),
    unless:
      /\?$|\b(?:is|are) due\b(?!.* (?:now|instead|actually)$)(?<!(?:now|actually) due.*)|\b(?:bills?|remember|flight|payment)\b/,
    example: 'call mom is now due on sunday',
  },
  {
    id: 'deadline-is',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:the |my )?(?:new )?(?:deadline|due date|priority|title) (?:for|of|on) .* (?:is|should be|needs to be|changed to|moved to) `,
    ),
    unless: /\?$/,
    example: 'the deadline for the essay is now monday',
  },
  {
    id: 'replace',
    intent: 'update',
    ours: true,
    when: new RegExp(
      String.raw`^(?:change|switch|swap|replace|convert|turn|correct|fix|adjust)\b(?:.* (?:to|into|with|for|from|by|instead|so|as)\b|.*\b(?:${taskNoun}|${field})\b| (?:it|that|this|number|no)\b|.* item\b)`,
    ),
    unless:
      /^(?:change|fix|switch|swap|turn|convert) (?:it|that|this)(?: up| on| off| back| around)?$|\bmy (?:name|mind|ways|clothes|life|seat|oil)\b|^(?:turn|switch) (?:on|off|up|down)\b|^(?:turn|switch) .* (?:on|off|up|down)$|^(?:change|switch|convert|turn) (?:to|into)\b|^(?:replace|fix|change) (?:a|an|the) \S+ (?:for|with)$/,
    example: 'change the meeting to 4pm',
  },
  {
    id: 'edit',
    intent: 'update',
    ours: true,
    when: /^(?:update|edit|modify|alter|amend|revise|tweak|overwrite) (?!and\b)\S/,
    unless:
      /^update (?:me|us|on|about)\b|\b(?:software|app|firmware|drivers?|status|windows|my (?:location|name|picture|info|information))\b(?!.*\b(?:task|reminder)\b)/,
    example: 'edit the second task',
  },
  {
    id: 'postpone',
    intent: 'update',
    ours: true,
    when: /^put (?:it|that|this|the|my|number|task|quoted)\b.*\boff (?:until|till|to|for|by)\b|^(?:postpone|reschedule|re-schedule|delay|defer|put off|snooze|push (?:back|off|out|forward)|extend|prolong|prepone|hold off(?: on)?|move (?:up|back)|adjourn)\b/,
    example: 'postpone call mom by a week',
  },
  {
    id: 'move',
    intent: 'update',
    ours: true,
    when: new RegExp(
      String.raw`^(?:move|push|shift|bump|bring|pull|slide|carry|roll|drag|transfer)\b(?! (?:up|out|over)\b).*\b(?:${dateWord}|back|forward|later|earlier|sooner|out a|up (?:to|by|a|an|one|two|\d)|one day|top of|higher|lower|bottom of)\b|^(?:move|shift|bump|push) (?:it|that|this|the|my|number|task|item|quoted|reminder|reminders|all|everything)\b.* to \S`,
    ),
    unless: new RegExp(
      String.raw`\b(?:to|into) (?:the |my )?(?:done|completed|finished|complete)\b|^bring (?:me|up|out)\b`,
    ),
    example: 'bring the review forward to wednesday',
  },
  {
    id: 'set-one-reminder',
    intent: 'update',
    when: new RegExp(
      String.raw`^(?:set|make|have|put) (?:my|the|that|this) (?:\S+ ){0,6}(?:reminder|task|todo)\b(?: \S+){0,6}? (?:(?:to|for|at|on|be) (?:\S+ ){0,3}${dateWord}|to \d{1,2}\b)`,
    ),
    unless: /\b(?:done|complete|completed|finished)\b|\bthis reminder :/,
    example: 'set my reminder for yoga to 6',
  },
  {
    id: 'complete-target-date',
    intent: 'update',
    when: new RegExp(
      String.raw`^give (?:me|us) (?:(?:another|more|\w+ more) (?:day|days|week|time|hour)s?|until ${dateWord}) (?:for|on|to|with)\b`,
    ),
    example: 'give me another week for the essay',
  },
  {
    id: 'name-field',
    intent: 'update',
    ours: true,
    when: new RegExp(String.raw`^(?:change|set|edit|update|fix) (?:its|the|${target})\b.*\b${field}\b`),
    unless: /\b(?:alarm|timer|clock|zone|volume|temperature|my (?:name|status|title))\b/,
    example: 'set the name of number 2',
  },
];
