import type { Rule } from './intent.ts';
import { dateWord, taskNoun } from './vocabulary.ts';

const newThing = String.raw`(?:an? |the |another |one more |some |this |new |up |together |two |three |a few |a couple of |me |us |myself |quick |short |daily |weekly |recurring |personal |separate |my )*(?:new |quick |short |daily |weekly |monthly |recurring |important |urgent |high priority |low priority |shopping |grocery |to-buy |packing |work |personal |alert |phone |voice |email )*(?:tasks?|todos?|reminders?|chores?|errands?|action items?|notes?|lists?|checklists?|todo lists?|item|entry)`;

export const addRules: readonly Rule[] = [
  {
    id: 'list-first',
    intent: 'add',
    when: /^(?:(?:on|in|to|for|into|onto|under) )?(?:my |the |our |this )?(?:\S+ ){0,3}?(?:lists?|todos?|reminders|list of \w+|tasks)(?: for \w+)? ?[,:]? (?:please |can you |i want to |i need to |also )*(?:add|put|include|insert|write|place|jot down|append)\b/,
    unless: /^(?:what|whats|which|did|do|does|have|has|is|are|show|read|tell|delete|remove|clear|take)\b/,
    example: 'on my shopping list, put lettuce',
  },
  {
    id: 'remind-what',
    intent: 'list',
    when: new RegExp(
      String.raw`^remind (?:me|us) (?:again )?(?:of |about )?(?:what|whats|which|who)\b.*\b(?:${taskNoun}|to do|due|planned|supposed|have to|need to|left)\b|^remind (?:me|us) (?:of|about) (?:my|all|the|everything)\b.*\b(?:tasks|todos|reminders|lists?|chores|errands)\b`,
    ),
    example: 'remind me what I have to do today',
  },
  {
    id: 'remind-fact',
    intent: 'other',
    when: /^remind (?:me|us) (?:again )?(?:what|whats|who|whos|how|why|which|where (?:is|are|do|did|can|i|we|my|the)|whose|of what)\b/,
    example: 'remind me what my balance is',
  },
  {
    id: 'remind',
    intent: 'add',
    when: new RegExp(
      String.raw`^(?:also |and |then |.{0,40}? )?(?:re-?mind|reming|remined|reminding|remember) (?:me|us|myself|him|her|them|everyone|my \w+|[a-z]+)? ?(?:to|about|of|that|on|at|in|every|when|for|next|this|the|by|if|before|after|how|not|${dateWord}|a|an|my|i|it|we|again|later|please|each|once|as|whenever|around|daily|weekly|\d)\b`,
    ),
    unless:
      /^(?:what|whats|which|who|whos|when|where|how|is|are|did|do|does|why|have|has|was|were|can you remember|do you|i (?:cant|cannot|dont|do not|didnt|couldnt|never)|you|he|she|they|it|that|this|(?:the|my) \w+) .*\b(?:remind|remember)|\b(?:reminds|dont|do not|didnt|not|never|stop|quit) (?:need to |want to )?remind|\bremember (?:my \S+ \S+ is|when|how|that time|the time|the name|who|what|my name|me as)\b|^(?:i|we) (?:still )?remember\b|\bremember (?:a|an|the|that) (?:song|movie|name|word|guy|girl|show|one)\b/,
    example: 'remind me to call the vet tomorrow',
  },
  {
    id: 'remind-bare',
    intent: 'add',
    when: /^(?:remind (?:me|us)\b|be reminded\b|to be reminded\b|get reminded\b|have (?:me|you) remind)/,
    example: 'I want to be reminded to pay the electric bill',
  },
  {
    id: 'remember',
    intent: 'add',
    when: /^(?:remember|recall that i (?:need|have)|keep in mind|bear in mind)(?: (?:to|that|about|me|the|my|this|:))* \S/,
    unless:
      /^remember (?:when|how|that (?:time|my name|i am|i like|one|guy)|me\b(?! to)|my name|who|what|where|why|you|us|that (?:song|movie|guy|girl|show)|that$|this$|it$)/,
    example: 'remember eggs',
  },
  {
    id: 'do-not-forget',
    intent: 'add',
    when: /^(?:(?:dont|do not|lets not|never|cant|cannot|must not|mustnt|i cant|i (?:must|should)(?: not|nt)) (?:let (?:me|us) )?(?:forget|lose track|miss)\b|make sure (?:that )?(?:i|we) (?:dont|do not) (?:forget|miss)\b|make sure (?:that )?(?:i|we) (?:remember|call|pay|buy|get|go|take|send|pick)\b|(?:i|we) (?:dont|do not) want to forget\b|(?:i|we) (?:need|have|want|must|should)(?: to)? (?:not forget|remember)\b|so (?:i|we) (?:dont|do not) forget\b|not forget\b)(?!$)/,
    unless:
      /\b(?:forget) (?:that|about (?:it|that))$|^(?:dont|do not|never) forget (?:who|where|that you|i love|your)\b/,
    example: "don't let me forget the umbrella",
  },
  {
    id: 'make-a-task',
    intent: 'add',
    when: new RegExp(
      String.raw`^(?:also |and |then )?(?:add|create|creating|make|making|set|setting|set up|setup|setting up|new|start|starting|begin|open|open up|schedule|put|put in|put down|enter|log|register|give|have|get|use|do|need|write|write down|jot down|take|save|post|insert|generate|build|compose|prepare|establish|initiate|file|record|ask|place|issue|assign|draft|keep|program|activate|turn on|enable|request|want|leave|send) (?:me |us |myself |for me |in |down |out |up )*${newThing}\b(?! of (?:my|all|the) (?:tasks|todos|reminders))`,
    ),
    unless: new RegExp(
      String.raw`^(?:set|have|make) (?:my|the) (?:\S+ )*reminder (?:\S+ )*to \d|^(?:get|give|show|have|want|need|send|open|open up|use|do|take|keep|put|save|post|start|begin|enable|activate|turn on|file) (?:me |us |up |for me |in |out |down )*(?:my|the|all|this|our|some|tasks|todos|reminders|lists?)\b(?!.* \b(?:new)\b)|\blists? of (?:all |my |the |some |good |best |popular |every|things to do in|ingredients|movies|restaurants|songs|places|nearby|words|countries)|^(?:give|get|send|have|make|take|keep|open) (?:me |us )?an? list (?:of|for)\b.*\b(?:recipes?|restaurants?|movies?|songs?|ingredients?|places|attractions?)\b|^(?:make|take) (?:a )?note (?:of )?(?:that )?(?:you|your|he|she)\b|\b(?:playlist|alarm|timer|calendar)s?\b`,
    ),
    example: 'set a reminder to pay my taxes',
  },
  {
    id: 'make-some-list',
    intent: 'add',
    when: /^(?:create|make|start|set up|set|begin|put together|add|schedule) (?:me |us |up )*(?:an?|another|my|the)(?: new)? (?:\S+ ){0,3}(?:lists?|reminders?|tasks?|todos?|alerts?|notifications?|checklist)\b|^(?:an? )?(?:quick|short|friendly|another|daily|weekly) (?:reminder|task|todo)\b/,
    unless:
      /\b(?:playlists?|wait(?:ing)? list|contact list|wine list|price list|alarm|timer|done|complete|completed|finished|instead|earlier|later|priority|rid of|off (?:my|the))\b|^set (?:my|the)\b|\blists? of (?:restaurants|movies|songs|places|ingredients)/,
    example: 'make a christmas gift list',
  },
  {
    id: 'have-a-reminder',
    intent: 'add',
    when: new RegExp(
      String.raw`^(?:(?:i|we) (?:also |really |just |do |will |would |might )*(?:need|want|would like|d like|require|like|could use|should have|have to have|must have|appreciate|would appreciate)|id (?:also |really )?(?:like|love|want|appreciate)|need|want|may i have|have|get|give me|send me|how about|what about|ill need|ill have|ill take|leave me) (?:you to (?:give|set|send) (?:me )?)?(?:an? |another |one |some |new |this |one more )+(?:new |quick |daily |weekly |recurring |shopping |grocery |todo |\w+ )?(?:reminder|reminders|task|todo|list|note|alert|notification)\b(?! of (?:my|all|the) )`,
    ),
    unless:
      /\blists? of (?:all|my|the|restaurants|places|movies|songs|things to do in|ingredients)\b|\b(?:list of|ingredient list|ingredients list|price list|wine list)\b/,
    example: 'I would like a reminder',
  },
  {
    id: 'on-the-list',
    intent: 'add',
    when: new RegExp(
      String.raw`^(?:also |and |then |please |,)*(?:put|place|stick|throw|include|insert|append|get|toss|pop|slap|slip|write|write down|jot|jot down|note|note down|pencil|pencil in|enter|log|save|record|have|want|need|set|keep|post|drop|type|register|submit|send|move|copy|list|input|mark down|mark|set down|store|attach|tack|apply|leave|ad|got|bring|pick|do|plan|we need|schedule|order|buy|join|combine|push|dump|squeeze|hang|make sure|ensure|be sure)\b.* (?:on|to|in|into|onto|for|down on|down in|at|under|unto) (?:my |the |our |this |that |a |an |his |her |your |mine |to |dads |moms |todays |tomorrows |\w+s )?(?:\S+ ){0,4}?(?:lists?|todos?|todo list|reminders?|checklist|tasks|task list|chores|errands|things to (?:do|buy|get|remember)|agenda)\b`,
    ),
    unless:
      /^(?:have|take|get) an? (?:look|peek|glance|read)\b|^(?:get|keep|have|bring|leave|do|put|make) (?:it |that |this )?(?:rid|track|back|off)\b|^(?:pull|bring|get) (?:me |up )?(?:my|the)\b|\b(?:playlist|wine list|contact list|mailing list|waiting list)\b|^(?:note|list|mark) (?:of|off|all)\b|^(?:have|do) (?:i|we|you)\b|^send (?:me|my|the)\b|^(?:move|push)\b.*\b(?:top|bottom|tomorrow|done)\b|^mark\b(?! down)/,
    example: 'please put chips on my shopping list',
  },
  {
    id: 'note-down',
    intent: 'add',
    when: /^(?:also )?(?:jot (?:down|that|this|it)|write (?:down|this down|that down|it down)|note (?:down|to self|to myself|to me|that i|this|:|this down)|(?:make|take|leave) (?:me )?(?:a |another |some )?(?:mental |quick |short )?notes? (?:to|that|of|for|about|on|:|saying|down)|pencil in|put (?:me )?down|mark down|log (?:this|that)|put (?:it|this|that) on (?:there|it))\b/,
    unless: /\b(?:you are|your|phone number|calendar)\b|^note that (?:i am|im|i have an?) /,
    example: 'jot down call the plumber',
  },
  {
    id: 'add',
    intent: 'add',
    when: /^(?:also |and |then |now |please |,)*(?:add|adding|append|insert)\b/,
    unless:
      /^(?:also |and |then )?(?:add|adding|append|insert) (?:an? |another |some |\d+|one|two|three|five|ten|fifteen|twenty|thirty|sixty|more)+ ?(?:more )?(?:minutes?|mins?|seconds?|hours?|money|dollars|funds|sugar to|percent|degrees|songs?|music|tracks?|contacts?|alarms?|timers?|events?)\b|^(?:add|insert) (?:this|that|the|my|these|a|an) (?:song|track|album|artist|music|contact|number|card|account|device|light|volume|phone|bank|credit|artist|podcast|episode|video|movie)\b|^add (?:up|to cart|me|him|her|us|them)\b(?! (?:to|on) (?:my|the) \S+ ?list)|^add (?:one|two|three|four|five|six|seven|eight|nine|ten) (?:plus|and|to) (?:one|two|three|four|five|six|seven|eight|nine|ten)$|^add more (?:light|lights|volume|heat|time)$/,
    example: 'add buy gum',
  },
  {
    id: 'include',
    intent: 'add',
    when: /^include (?:some |more |the )?[a-z-]+(?: [a-z-]+){0,3}$/,
    example: 'please include sunscreen',
  },
  {
    id: 'create-verb-task',
    intent: 'add',
    when: /^(?:create|make|new|schedule|plan|set up|enter|log) ?:? (?:buy|call|pay|email|pick up|clean|wash|mow|walk|water|feed|send|write|finish|quoted|review|fix|return|renew|submit|study)\b/,
    example: 'create call the bank',
  },
  {
    id: 'task-colon',
    intent: 'add',
    when: /^(?:new |next |another |one more |quick |add )?(?:todo|task|reminder|remember|memo|note|to-do|item|shopping|groceries|errand|chore)s? ?[:\-–—,] ?\S|^quick add\b|^(?:new|another|one more) (?:todo|task|reminder|item|chore|errand|list|note|entry|shopping list|grocery list|one)\b|^todo (?!list|lists|for|items?|tasks?|app|please|today|tomorrow|this|next|on|in|is|are|\?)\S/,
    example: 'todo: fix the gate',
  },
  {
    id: 'reminder-to',
    intent: 'add',
    when: /^(?:reminder|a reminder|task|a task|alert|another reminder|one reminder) (?:to|for|about|that|at|on|in|of|every|set|i|tomorrow|tonight|today|next|this)\b/,
    unless: /\?$|\b(?:list|is what|are what)$/,
    example: 'reminder to water the plants at 6',
  },
  {
    id: 'nudge-me',
    intent: 'add',
    when: /^(?:alert|notify|ping|nudge|poke|prompt|buzz|warn|tell|message|text|hit|bug|pester|call|advise|inform) (?:me|us)(?: up)? (?:to (?!a\b|the\b|my\b|sleep\b|about\b)|(?:at|in|on|when|tomorrow|tonight|every|before|next|this|that|about|of)\b.* (?:to (?!be\b|my\b|the\b)|i (?:need|have) to |its time to ))/,
    unless:
      /^(?:tell|inform|advise|notify|alert|warn) (?:me|us) (?:when|if|about|what|how|who|where|the|that)\b(?!.*\b(?:i (?:need|have) to|its time to)\b)|\b(?:weather|score|news|stock)\b/,
    example: 'ping me tomorrow morning to send the invoice',
  },
  {
    id: 'gets-added',
    intent: 'add',
    when: new RegExp(
      String.raw`^(?:(?:make|be) sure|ensure|see (?:to it )?that|see that|have|get|i (?:want|need|would like)|id like|i need for|let|i should have|we need|we should have|please have)\b.*\b(?:(?:gets?|is|are|be|to be|being|been|was|were)? ?(?:added|included|placed|written|noted|inserted)\b|(?:gets?|is|are|be|to be|go|goes|put|appears?|stays?) (?:put )?(?:on|in|onto|to) (?:my|the|our|this|a) (?:\S+ ){0,3}(?:list|lists|todos?|reminders)\b)|^(?:i|we)(?:d| would)? (?:want|need|like|wish)\b.*\b(?:on|in|to|onto) (?:my|the|our|this|a) (?:\S+ ){0,3}?(?:list|lists|todos|reminders|todo list)$|^id (?:like|love|want)\b.*\b(?:on|in|to|onto) (?:my|the|our|this|a) (?:\S+ ){0,3}?(?:list|lists|todos|reminders|todo list)$|^(?:i|we)(?:d| would)? (?:want|need|like) (?:my|the|our) (?:\S+ ){0,2}(?:list|reminders) to (?:include|have|say|contain)\b`,
    ),
    unless:
      /^have (?:i|you|we)\b|\boff (?:my|the)\b|^(?:i|we) (?:want|need|would like)(?: you)? to (?:know|see|hear|check|find|review|view|look|go)\b|\b(?:whats|what is|what i|what|everything i)\b|\b(?:dont|do not|off|deleted|removed)\b/,
    example: 'make sure bread gets added',
  },
  {
    id: 'should-be-on-list',
    intent: 'add',
    when: new RegExp(
      String.raw`^(?!(?:what|whats|is|are|do|does|did|which|how|when|where|who|read|tell|show|check|give|list|see|view|display|i |have )\b).*\b(?:(?:should|needs? to|need to|must|has to|have to|ought to|can|could|belongs?|goes?|will) (?:be |go |get )?(?:added |put |placed |included )?(?:on|to|in|onto) (?:my|the|our|this|a) (?:\S+ ){0,3}?(?:list|lists|todos|reminders)|(?:my |the |our |shopping |grocery |todo )+(?:list|reminders) (?:needs|should (?:have|include)|must (?:have|include)|has to (?:have|include)|needs to (?:have|include)|requires|could use|is missing)\b|(?:is|are) (?:something|things?|what) (?:i|we) (?:need|want) (?:on|in) (?:my|the|our) )`,
    ),
    example: 'my grocery list needs eggs',
  },
  {
    id: 'also',
    intent: 'add',
    when: /^(?:(?:and |oh |,)*also|plus|and|as well as|dont forget|along with|one more|another one|ooh and) ?:? (?!then\b|what\b|whats\b|show\b|is\b|are\b|do\b|how\b|when\b|why\b|who\b|where\b|the weather\b|you\b|i\b|delete\b|remove\b|mark\b|complete\b|tell\b|read\b|list\b|no\b|yes\b|its\b|can\b|could\b|please\b|it\b|that\b|this\b|he\b|she\b|they\b|play\b|turn\b|now\b|if\b)[\w-]+(?: (?:[\w-]+|,|&)){0,5}$/,
    unless: /\?$|\b(?:is|are|was|were|will|can|could|would|should|does|do|did|has|had)\b/,
    example: 'also eggs and flour',
  },
];
