import type { Rule } from './intent.ts';
import { dateWord, taskNoun } from './vocabulary.ts';

const readVerb = String.raw`(?:show|showing|list|listing|display|view|viewing|see|seeing|read|reading|tell|give|get|pull|bring|open|check|checking|review|reviewing|browse|go|walk|run|recite|repeat|print|fetch|find|finding|look|access|accessing|hear|hearing|summari[sz]e|name|say|recap|present|retrieve|load|search|know|share|provide|state|describe|outline|detail|read out|recall|confirm|verify|count|identify|inform|explain|enumerate|reveal|scroll|skim|examine|inspect|scan|consult|visit|locate|lookup|grab|send|email|text|report|talk|let me|take|make out|have|want|need|start|begin|continue|use|update me|fill|brief|remember|search|select|choose|pick|sort|filter|order|organize|arrange|group|speak|announce|tell me|query|call up|dig up|return|flip|refer|refresh|mention|study)`;
const state = String.raw`(?:overdue|over due|due|pending|outstanding|open|unfinished|incomplete|incompleted|completed|complete|finished|done|remaining|left|upcoming|high priority|low priority|medium priority|urgent|important|late|past due|uncompleted|undone|unchecked|checked off|closed|active|priorities)`;

export const listRules: readonly Rule[] = [
  {
    id: 'foreign-list',
    intent: 'other',
    when: new RegExp(
      String.raw`\blists? (?:of|for|with|the|all|some|every|any|out)\b(?!.*\b(?:my|i|todos?|tasks?|reminders?|chores?|errands?|shopping|grocery|groceries|quoted)\b).*\b(?:in|near|at|by|from|ingredients?|recipes?|restaurants?|movies?|songs?|albums?|books?|events?|countries|states|presidents|places|attractions?|words?|synonyms|steps|stores?|hotels?|flights?|vaccin\w+|symptoms|side effects|causes|benefits|options|cars|prices?|names|numbers|players|teams|winners|holidays|requirements|restrictions|questions|commands|things (?:to do|i can|you))\b|\bthings to do (?:in|near|around|at|with|while|on)\b(?! (?:my|the|it|today|tomorrow|${dateWord})\b)|\b(?:ingredients?|wine|price|contact|mailing|waiting|play|guest|song|black|white|best ?seller|channel|station|top ten|top 10|a) lists? of(?! my| all| the (?:tasks|todos|reminders))\b(?! of (?:my|tasks|todos|reminders))`,
    ),
    unless:
      /^(?:add|put|remove|delete|create|make|take|start|new|set|erase|clear|include)\b|\b(?:wish|shopping|grocery|todo|bucket|task|chore|guest) lists?\b|\bmy (?:\S+ )?lists?\b/,
    example: 'give me a list of things to do in seattle',
  },
  {
    id: 'ask-tasks',
    intent: 'list',
    when: new RegExp(
      String.raw`^(?:also |and |so |then |,)*(?:what|whats|whatre|which|who|whos|whose|when|whens|where|wheres|how many|how much|how long|how soon|hows|how is|how are|how (?:do|does) (?:my|the|our)|is|isnt|are|arent|was|were|do|does|doesnt|did|didnt|dont|have|havent|has|hasnt|had|am|any|anything|anymore|will|should|got|there|theres|are there|is there|was there|could|can|would|must|still|whether|if)\b.*\b(?:${taskNoun}|remind|reminded|to-buy)\b`,
    ),
    unless:
      /^(?:can|could|would|will) (?:you|i)\b(?!.*\b(?:see|show|tell|read|hear|have|check|view|know|list|find)\b)|\b(?:playlist|contact list|wine list)\b|^(?:do|does|is|are|was|did) (?:it|that|he|she|this|they) remind|^(?:who|what|which) (?:does|do|did) (?:\w+ )?remind|^(?:what|which) (?:is|are|was) (?:the )?(?:best|top|longest|biggest|most|first on the a)\b|^have (?:a|the|my)\b/,
    example: 'is taking out the trash on my to do list',
  },
  {
    id: 'read-tasks',
    intent: 'list',
    when: new RegExp(
      String.raw`^(?:also |and |then |,|again )*${readVerb}\b.*\b(?:${taskNoun}|to-buy|remind me of|reminded (?:of|about)|to be reminded)\b`,
    ),
    unless: new RegExp(
      String.raw`^(?:get|bring|take|have|want|need|start|begin|make|make out|use|send|say) (?:a|an|some|another|it|that|him|her|me an?|started)\b(?!.*\b(?:look|peek|glance|list of (?:my|all|the)|view|summary|overview|rundown|readout|update)\b)|\b(?:playlist|contact list|wine list|listing|listings)\b|^(?:get|take|have) (?:\S+ ){0,4}off\b|^(?:use|sort of|make)\b|^(?:start|begin) (?:a|an|new|my new)\b`,
    ),
    example: 'read me my shopping list',
  },
  {
    id: 'show-more',
    intent: 'list',
    when: /^(?:show|list|read|give|see|tell)(?: me| us)? (?:more|the rest|the others|the next (?:page|ones)|all of them|them all|everything|it all|them)(?: please)?$|^(?:show|tell|hear|see|know|read|check|look at)(?: me| us)? what(?: all)? (?:ive got|i have|i need|weve got|we have|we need|i still have|i still need) to (?:do|buy|get|finish)\b|^(?:show|list|display|view|see|read)(?: me)? (?:all |everything |what |the things )*(?:that )?(?:i|we)(?: have|ve)? (?:finished|completed|did|done|got done|accomplished)\b|^(?:show|tell|give|read)(?: me)? (?:all |everything |the |of |all the )*(?:things|stuff|everything|all)? ?(?:that )?(?:i|we) (?:still )?(?:need|have|ought) to (?:do|buy|get|finish|remember)\b/,
    example: 'show me all the things I need to do',
  },
  {
    id: 'list-these',
    intent: 'list',
    when: /^list(?: (?:out|all|everything|it|them|the|my|our|for|me|please|of|only|just|every|any|each))*(?: \S+){0,3}$/,
    unless:
      /\b(?:ingredients?|transactions?|songs?|flights?|restaurants?|steps|restrictions?|movies?|hotels?|countries|capitals?|synonyms|benefits|vaccines?|purchases?|contacts?|alarms?|timers?|events?|meetings?|holidays?|states|presidents|albums?|emails?|messages?|songs|recipes?|stations?|podcasts?|cards?|accounts?|options|features|commands|symptoms|stores?|places|calories|cars|news|headlines|planets|elements|insurance|prices)\b/,
    example: 'list the availables',
  },
  {
    id: 'show-state',
    intent: 'list',
    when: new RegExp(
      String.raw`^(?:show|list|display|view|see|read|tell me|give me|get|pull up|bring up|filter|find|only|just|what about|and|how about)\b.*\b(?:the |my |only |all |just )?(?:${state}) ?(?:ones?|stuff|things?|items?|work|for|by|to|today|tomorrow|this|next|on|$|\?)`,
    ),
    unless:
      /\b(?:bill|bills|card|flight|payment|payments|restaurants?|stores?|transactions?|news|movies|recipes?|emails?|messages?|calls?|meetings?|events?|appointments?|books?|done in|rent)\b|^give me (?:the )?(?:time|date)|\b(?:is|are) open\b/,
    example: 'show only the unfinished ones',
  },
  {
    id: 'whats-due',
    intent: 'list',
    when: new RegExp(
      String.raw`^(?:so |and |ok |,)*(?:(?:what|whats|which|anything|any|is anything|is there anything|are any|do i have anything|do i have any|do i (?:need|have) to do (?:anything|something)|have i got anything|got anything|something|everything|whatever|show me (?:what|whats|everything|anything)|tell me (?:what|whats|everything|anything)|let me (?:know|see) (?:what|whats))\b.*\b(?:${state}|to do|on (?:my|the) (?:plate|agenda|docket|schedule for todos)|need(?:s)? (?:to be )?(?:doing|done)|need to (?:do|get done|finish|remember|buy|get)|have to (?:do|finish|get done)|should i (?:be doing|do|work on|tackle|focus on)|on deck|to be done|am i forgetting|i forgot|forgetting|left to|got left|supposed to (?:do|remember|be doing)|going on my list|get done|remember)\b|(?:overdue|upcoming|pending|unfinished|outstanding)(?: (?:items|stuff|things|ones|work|\?))*$|do (?:i|we) (?:need|have) to do (?:anything|something)\b.*|(?:do i have|have i got|is there|got|any|do we have) (?:anything|any thing|something|stuff|much|things)(?: else| more| going on| planned| left)*(?: (?:for|on|to do|by|due|this|next|${dateWord}|at)\b.*)?(?: \?)?$)`,
    ),
    unless:
      /^everything\b.*\b(?:is|are) (?:all )?(?:done|finished|completed?)$|\b(?:bill|bills|calendar|card|payment|payments|oil change|statement|meetings?|events?|appointments?|open (?:now|late|on|today|near|right)|restaurants?|stores?|shops?|bank|weather|in (?:town|seattle|phoenix|paris|london|chicago|denver|vegas|\w+ville|new york|italy|france|japan|spain|rome|canada|mexico)|flight|gas|tire|tires|car|recipe|cook|make (?:a|an|some|the)|travel|need to open|do about|do to (?:get|make|be|become|apply|qualify|fix)|visa|passport to|vaccin\w+|insurance|apply|the meaning|for dinner|for lunch|eat|to watch|of all time|credit|score|tax|taxes|time is it|library|rent due|due date on|my account|to know|to (?:know|get|have|bring) (?:for|to)|if|word|spell|movie|song|fun|to do (?:if|when|about|with|in|to|after an?|for (?:a|my)))\b/,
    example: "what's overdue?",
  },
  {
    id: 'when-is-it-due',
    intent: 'list',
    when: /^(?:when|whens|what (?:day|date|time)|by when|how (?:soon|long)|what is the (?:due date|deadline|priority|status)|whats the (?:due date|deadline|priority|status)|is|are|was)\b.*\b(?:due|deadline|priority|still (?:open|pending|left|on there|to do)|on (?:it|there) (?:already|yet)|status of)\b|^(?:is|are|was|were) .+ (?:done|finished|completed?)(?: yet| already)?(?: \?)?$|^(?:what|whats)(?: is)? the (?:due date|deadline|priority|status) (?:of|for|on) /,
    hold: /\b(?:bills?|credit|card|payments?|oil change|statement|flight|library|insurance|taxes|tax return|(?:my|the) (?:mortgage|loan|account|car payment|visa|phone bill)|baby|mastercard|amex|application|order|game|show|movie|store|season|download|refund|transfer|check|claim|package)\b/,
    example: 'when is buy milk due?',
  },
  {
    id: 'what-to-do',
    intent: 'list',
    when: new RegExp(
      String.raw`^(?:(?:what|whats) (?:all |else |exactly |stuff |things )?(?:do|did|must|should|have|am|are|would) (?:i|we) (?:still |also |really |currently |even )*(?:have|need|got|supposed|want|wanted|gotta|left|plan|planned|to|forget|be doing|doing|missing|finish|finished|complete|completed|get done|accomplish|accomplished|done|put|include|included|write|written|set|mark|add|added|remember)\b(?: to| up)*(?:(?: do| get| remember| buy| accomplish| finish| be doing| complete| pick up| done| left| on there| on it| down| for| today| tomorrow| this| next| so far| yet| already| yesterday| last| shop for| be reminded)|$| \?)|what (?:do|does|did|are) (?:my|the|our) (?:\S+ ){0,2}(?:reminders?|tasks?|todos?|lists?|chores) (?:say|look|include|have|contain|consist)\b|(?:im wondering|(?:i|we) (?:forgot|forget|cant remember|dont remember|dont know|am wondering|wonder))(?: about)? (?:what|whats|which|if)\b.*\b(?:to do|to buy|to get|list|tasks?|todos?|reminders?)\b|(?:what|whats) (?:else )?(?:is|are|s)? ?(?:next|left|remaining|still left|up next|on there|on it|on my plate|on the docket|my (?:next|first|last|top) (?:thing|priority|priorities|one|item)|my priorities|still open)(?: to do| for me| for today| today| now| on there| up)*(?: \?)?$|when (?:do|did|am|should|must) (?:i|we) (?:need|have|supposed|plan|set|scheduled|going)(?: to)? (?!(?:know|rotate|change|get paid|be paid|file|replace|renew)\b)\S|am i (?:forgetting|missing|supposed to)\b|(?:did|have) (?:i|we) (?:already |ever |even )?(?:finish|finished|complete|completed|get done|done|check off|checked off|forget|remember to|mark|marked|remembered to|schedule a task)\b|is .* (?:on|in) (?:there|it|my todo|the todo)(?: already| yet| too)?(?: \?)?$|how many (?:things |items |tasks |more |of them )?(?:do i have|are (?:left|there left|done)|have i (?:done|finished|completed)|left)\b|what (?:was|is|were) i (?:supposed|meant|going|planning) to (?:do|remember|buy|get|be doing)\b)`,
    ),
    unless:
      /\b(?:calendar|oil|bills?|tires?|passport|visa|flight|card|account|insurance|travel|trip|pto|vacation|calories|meetings?|make (?:a|an|some|the)? ?\w+|cook|in (?:a|the) recipe|substitute|in (?:town|seattle|phoenix|paris|london|\w+ville)|spend|spent|order(?:ed)?|watch|eat|wear|credit|for dinner|do if|do when|do about|do in|do for (?:fun|dinner|lunch))\b/,
    example: 'when am I supposed to call the bank',
  },
  {
    id: 'bare-list',
    intent: 'list',
    when: new RegExp(
      String.raw`^(?:all |only |just |the |my |our |current |full |entire |todays |tomorrows |remaining |open |completed |finished |overdue |pending |upcoming |unfinished |high priority |low priority |urgent |weekly |daily |shopping |grocery |groceries |todo |task |reminder |chore |and |next |latest |outstanding |more |active |important |house |work |personal |old |whole |new |due )*(?:tasks|todos|lists?|reminders|chores|errands|checklist|todo|(?:action )?items (?:on|in) (?:my|the) .*|task list|todo list)(?: (?:for|on|due|by|today|tomorrow|this|next|in|please|left|remaining|overdue|status|contents?|items?|now|of|i|that|with|from|again|overview|summary|ones|about|entries|update|query|check|info|details).*)?(?: \?)?$`,
    ),
    unless:
      /^(?:new|next) (?:task|todo|reminder|list)\b(?! list)|\b(?:is|are|isnt|needs|add|put|remove|delete|erase|take|include|completed|done|finished)\b(?! tasks| ones| todos| reminders| items| chores)|^(?:the )?todo$|\b(?:add|remove|delete|is|are|should|needs?|completed|done|finished|in seattle)$|\b(?:best|ingredients|restaurants|songs|movies)\b/,
    example: 'to do list for today please',
  },
  {
    id: 'tasks-what',
    intent: 'list',
    when: new RegExp(
      String.raw`^(?:my |the |on |in |from |about |regarding |reminders?|tasks?|todos?|lists?|shopping |grocery |items? |everything |things )(?=.*\b${taskNoun}\b).*\b(?:is what|are what|what|whats|which|has what|contains|have|show|read|tell me|contents?|display|view)\b`,
    ),
    unless: /\b(?:add|remove|delete|put|is done|are done|finished|completed)\b/,
    example: 'reminders of my list is what',
  },
  {
    id: 'want-my-list',
    intent: 'list',
    when: new RegExp(
      String.raw`^(?:(?:i|we) (?:just |really |also |do |now )*(?:want|need|would like|d like|like|require|forgot|forget|cant remember|dont remember|wonder|am wondering|wanna|lost)|id (?:like|love|want)|want|need|give me|send me|lets have|ill have|can i have|may i have|have|get me) (?:to (?:know|see|hear|check|view|find|look|go|review|read|get|have) )?(?:what|whats|my|the|all|our|a list of (?:my|all)|everything|an? (?:look|overview|readout|rundown|summary|recap|copy|list)|to)\b.*\b(?:${taskNoun})\b`,
    ),
    unless:
      /\b(?:add|added|delete|deleted|remove|removed|changed?|moved|updated?|cleared|done|completed|finished|gone|off|reminder (?:for|to be|at|set))\b/,
    example: 'I want my shopping list',
  },
];
