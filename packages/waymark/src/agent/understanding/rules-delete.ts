import type { Rule } from './intent.ts';
import { entryNoun, taskNoun } from './vocabulary.ts';

export const deleteRules: readonly Rule[] = [
  {
    id: 'off-the-list',
    intent: 'delete',
    when: new RegExp(
      String.raw`^(?:take|cross|scratch|strike|get|pull|wipe|drop|kick|knock|strip|lose|leave|bump|throw|toss)\b.*\b(?:off|out of|from|away|out)\b.*\b(?:${taskNoun}|list)\b|^(?:take|cross|scratch|strike|kick|knock) (?:it|that|this|them|these|those|the \S+ one|number \w+|item \w+)(?: \w+)? (?:off|out)\b(?! of the (?:oven|freezer|fridge|box|car))|^(?:strike|scratch) (?:out )?(?!off\b|a |an )\S|^take (?:all|every|my|the|both)\b.*\b${taskNoun} off$|^(?:i|we)(?:d| would)? (?:want|need|like)\b.* off (?:of )?(?:my|the|our)\b.*\b(?:${taskNoun}|list)\b|^\S+(?: \S+){0,3} (?:needs? to|can|should|must|has to) come off\b.*\b(?:${taskNoun}|list)\b|^(?:my |the |our )?(?:\S+ ){0,2}lists? ?[,:]? (?:please )?(?:remove|delete|erase|take off|cross off)\b`,
    ),
    unless: /\b(?:playlist|wine list|guest house)\b/,
    example: 'take lemons and onions off my shopping list',
  },
  {
    id: 'delete',
    intent: 'delete',
    ours: true,
    when: /^(?:delete|deleting|remove|removing|erase|erasing|discard|trash|bin|scrap|ditch|nix|axe|purge|eliminate|un-?list|get rid of|getting rid of|do away with|dump|toss(?: out)?|throw (?:away|out)|expunge|subtract|exclude|omit|unadd|unschedule)\b(?! (?:it|that)\?$)/,
    unless:
      /^\w+ing .*\b(?:is|are|was|makes?|feels?|seems?|takes?)\b|\b(?:ads?|filters?|watermark|red eye|background|notifications|virus|stain|tattoo)\b|^(?:trash|bin|dump|scrap) ?$|^(?:trash|bin|dump|scrap)s? (?:taken|picked|is|was|has|day|bags?|cans?)\b|\b(?:mailing list|whiteboard|recordings?|hiccups|wrinkles|acne|ants|mice|bugs?|stains|the lid|from (?:heat|the oven|the pan))\b|^(?:remove|delete|erase)(?: \d+)? (?:minutes?|hours?|seconds?)\b|^discard (?:changes)$/,
    example: 'remove laundry from my todo list',
  },
  {
    id: 'forget-about',
    intent: 'delete',
    when: /^(?:forget|forgetting) about (?!(?:it|that|this|me|everything i said|the past)$)/,
    example: 'forget about the oil change',
  },
  {
    id: 'drop',
    intent: 'delete',
    ours: true,
    when: new RegExp(
      String.raw`^(?:cancel (?:(?:the|my|that|this|all|any|every|whatever|number|task|item|reminder|reminders|everything|quoted|both|our|#|\d)\b|.*\b(?:list|task|reminder|todo)s?\b)|(?:drop|forget|kill|lose|nuke|cut|skip|void|abort|abandon|call off|withdraw|x out|rid|dismiss|ignore) (?:.*\b(?:${entryNoun})\b|.*\b(?:number|item|#) ?\w+|(?:the )?(?:first|second|third|fourth|fifth|last)\b|quoted|.* from (?:the|my|our) ))`,
    ),
    unless:
      /^(?:drop|forget|cancel|kill|skip|lose|abort|dismiss) (?:it|that|this|them|the subject|the idea|me)$|^drop (?:off|by|in)\b|^(?:forget|ignore|dismiss|cancel|skip) (?:that|this|the) ?(?:last )?(?:one|request|command|message|question|order|song|track|action|thing i said|conversation|operation)$|^(?:cancel|drop|kill|abort|skip|lose) (?:everything|the beat|the call|the act|the mic|the attitude|all of it)$|^cancel (?:all )?(?:my |the |our )?(?:meeting|meetings|appointment|appointments|event|events|party|plans?|dinner|lunch|brunch|breakfast|trip request|vacation|leave|service|class|contract)\b(?!.*\b(?:list|task|reminder|todo)s?\b)/,
    example: 'drop the yoga task',
  },
  {
    id: 'cancel-verb-task',
    intent: 'delete',
    when: /^(?:cancel|drop|forget|skip|scrap) (?:buy|buying|call|calling|pay|paying|email|emailing|pick up|picking up|clean|cleaning|wash|washing|mow|mowing|walk|walking|water|watering|feed|feeding|send|sending|write|writing|finish|finishing)\b/,
    example: 'cancel buy milk',
  },
  {
    id: 'clear-list',
    intent: 'delete',
    when: new RegExp(
      String.raw`^(?:clear|clean|clean up|clean out|clear out|clear off|empty|empty out|wipe|wipe out|wipe clean|reset|flush|destroy|start over)\b.*\b(?:${entryNoun}|everything|all of (?:it|them)|all$|completed|finished|done)\b`,
    ),
    unless: /^clean\b(?!.*\b(?:list|tasks|todos|reminders)\b)|\b(?:add|put)\b/,
    example: 'please clear the list',
  },
  {
    id: 'no-longer-needed',
    intent: 'delete',
    when: new RegExp(
      String.raw`^(?:(?:i|we) (?:really |also )?(?:dont|do not|no longer|wont|will not|didnt|never)(?: (?:really|even|actually))? (?:need|want|have|require|care)\b.*\b(?:anymore|any more|any longer|no more|${taskNoun}|remind|reminded|reminding)\b|(?:(?:i|we) )?no longer (?:need|want|have|require)\b|(?:theres |there is )?no (?:longer )?need (?:to|for)\b|no more\b.*\b(?:${taskNoun}|list)\b|.* (?:is|are) no longer (?:needed|necessary|required|relevant|happening)$|.* (?:isnt|arent|is not|are not) (?:needed|necessary|relevant|happening) (?:anymore|any more)$)`,
    ),
    unless:
      /\b(?:know|help|(?:credit |debit )?cards?|accounts?|insurance|subscription|service|why|think|have (?:any|a|an|anything|enough)|want to (?:add|delete|remove|change|lose|forget))\b|\b(?:dont|do not) have (?:any|a|an|anything|it|that|my)\b|\bto worry\b/,
    example: 'no need to buy milk in grocery list',
  },
  {
    id: 'stop-reminding',
    intent: 'delete',
    when: /^(?:(?:no longer|never again) remind (?:me|us)|stop (?:reminding|the reminders?|my reminders?|giving me reminders?|sending me reminders?|all reminders?)|(?:dont|do not|never|quit|no need to) remind(?:ing)? (?:me|us)\b|(?:turn off|disable|silence|deactivate|stop|unset|turn down|shut off|switch off|mute|dismiss|end)\b.*\b(?:reminder|reminders|task|tasks|todo)\b|(?:i|we) (?:dont|do not|no longer) (?:want|need|wish|have) to be reminded\b|unremind\b|no reminders?\b)/,
    unless: /\b(?:sounds?|ringtone|vibration|notification)\b/,
    example: "don't remind me about the dentist",
  },
  {
    id: 'never-mind-task',
    intent: 'delete',
    when: new RegExp(
      String.raw`^never ?mind (?:about )?(?:the|my|that|those|number|task|buying|calling|paying) (?:.*\b${entryNoun}\b|\S+(?: \S+){0,3}$)|^nevermind about\b`,
    ),
    unless:
      /^never ?mind (?:about )?(?:that|the|my) ?(?:question|last question|request|last request|last one|last command)?$/,
    example: 'never mind the dentist task',
  },
  {
    id: 'should-go',
    intent: 'delete',
    when: new RegExp(
      String.raw`^(?:the |my |that |task |number |item ).*\b(?:(?:can|needs? to|should|must|has to) come off|can go|can be (?:deleted|removed|erased|dropped)|should be (?:deleted|removed|erased|taken off)|needs? to (?:be (?:deleted|removed|erased|taken off)|go|come off)|must go|has to go)(?: away)?(?: (?:from|of|on) (?:my|the) .*)?$|^(?:i want|i need|i would like|id like|get|make sure)\b.*\b(?:deleted|removed|erased|gone|taken off)\b`,
    ),
    unless: /\?$|\b(?:tumor|stain|tattoo|wart)\b/,
    example: 'the dentist task can go',
  },
  {
    id: 'go-there-and-delete',
    intent: 'delete',
    when: new RegExp(
      String.raw`^(?:find|go to|open|access|look up|pull up|go into|get into|check|get|search|locate|from|in|on|out of)\b.*\b(?:${entryNoun})?.*(?: ,)? (?:and |then |please )*(?:remove|delete|erase|take off|clear|get rid of|cross off|take out|cancel)\b`,
    ),
    unless: /^(?:find|get) (?:out )?how\b/,
    example: 'find list and remove apple',
  },
];
