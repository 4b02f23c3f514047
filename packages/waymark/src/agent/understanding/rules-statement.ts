import type { Rule } from './intent.ts';

/** What people did that a task list would have asked of them. Losing, wanting and liking are not here. */
export const doneVerbs =
  'bought|purchased|paid|sent|called|phoned|rang|texted|emailed|e-mailed|mailed|messaged|finished|completed|cleaned|washed|fixed|repaired|picked up|picked|dropped off|dropped|booked|scheduled|renewed|submitted|filed|returned|watered|walked|fed|cooked|baked|made|wrote|drafted|read|signed|printed|ordered|shipped|delivered|posted|packed|unpacked|vacuumed|mopped|swept|dusted|ironed|folded|hung|mowed|raked|planted|painted|installed|assembled|built|set up|put together|put away|put out|put up|tidied|tidied up|organized|organised|sorted|sorted out|arranged|confirmed|registered|enrolled|applied for|signed up|attended|visited|met with|met|went to|went|took out|took care of|took|turned in|handed in|handed over|wrapped up|wrapped|knocked out|dealt with|handled|cleared|emptied|loaded|unloaded|did|got|grabbed|collected|gathered|brought|reviewed|studied|practiced|practised|proofread|prepared|prepped|planned|researched|updated|uploaded|downloaded|backed up|deployed|merged|pushed|tested|checked in|checked on|checked|changed|replaced|refilled|charged|recycled|donated|sold|cancelled|canceled|closed|resolved|deposited|withdrew|transferred|voted|exercised|worked out|ran|trained|meditated|shaved|cut|trimmed|groomed|bathed|finalized|finalised|published|scanned|shredded|measured|fetched|hired|interviewed|presented|rehearsed|invited|thanked|replied to|responded to|answered|wiped|scrubbed|rinsed|polished|stocked|restocked|bagged|boxed|labelled|labeled|moved|tackled|crossed|ticked off|checked off|done|talked to|spoke to|spoke with|dropped|hoovered|switched|tuned|serviced|inspected|swapped|froze|thawed|marinated|burned|bottled|reserved|rented|upgraded|translated|edited|recorded|memorized|learned|finished up|found|stopped by|mended|sewed|patched|drained|flushed|defrosted|sealed|caulked|greased|sharpened|assigned|delegated|notified|informed|told|reminded|asked';

const participles =
  'done|complete|completed|finished|taken care of|sent|paid|sorted|sorted out|handled|closed|resolved|submitted|shipped|delivered|booked|fixed|cleaned|washed|bought|signed|filed|mailed|emailed|returned|renewed|packed|wrapped up|fed|watered|walked|folded|mowed|painted|printed|uploaded|backed up|cooked|baked|made|ordered|picked up|dropped off|written|ready to go|crossed off|checked off|ticked off|out of the way|behind me|good to go|put away|put out|taken out|installed|assembled|vacuumed|mopped|swept|updated|deployed|merged|published|replaced|refilled|scheduled|confirmed|accomplished|over and done with|all set|wrapped|turned in|handed in|loaded|emptied';

const trouble =
  /\b(?:ran (?:out|into|late|away)|my mind|an? mistake|an error|too (?:much|many|late)|(?<!thank )you|your|in (?:19|20)\d\d|degree|college|declined|stolen|lost|fraud|wrong|cant|cannot|couldnt|why|but|help|not|didnt|havent|hasnt|never|error|problem|issue|suspicious|refund|twice|overcharged|(?:was|were|got|been) charged|charged (?:me|twice|a fee)|broke|damaged|blocked|locked|frozen|forgot|accident|review|delicious|tasted|great|awesome|terrible|awful|loved|worth|stars?|hungry|sick|tired|bored|sad|happy|lol|haha|yesterday and|last (?:year|summer|night)|years? ago|once|when i was|and (?:it|he|she|they|i) (?:was|were|is|had)|from (?:china|italy|amazon) (?:and|but)|think|guess|hope|wish|would|should|could|might|if|because|since i|an? (?:new )?(?:job|raise|cold|flat|headache|divorce|ticket|call|message|email|text|letter|dog|cat|puppy|kitten|baby|tattoo|question|idea|deal))\b/;

const subject = String.raw`(?:(?:i|we)(?: (?:have|had|ve|did))?|ive|weve)`;
const adverb = String.raw`(?:finally|already|just|now|actually|successfully|also|even|today|this morning|earlier|at last|literally|totally|completely|both|recently|all|officially|pretty much)`;

/** Reports and needs: they complete or add only through what they say, so they come last. */
export const statementRules: readonly Rule[] = [
  {
    id: 'done-with',
    intent: 'complete',
    when: new RegExp(
      String.raw`^(?:${subject}|im|i am|were|we are|i was)? ?(?:${adverb} )*(?:all |totally |completely |finally |now )*(?:done|finished|through|completed|did|get through|got through|got) (?:with |doing |up |off |all of |all )?(?!for the day\b|talking\b|with you\b|for today\b|deal\b|$)(?:\S)`,
    ),
    unless: new RegExp(
      String.raw`\?$|^did (?:the|my|your|our|that) (?:\S+ )+(?:win|lose|die|come|go|call|get|arrive|ship|pass|work|happen|start|end|close|open|clear|post|play|text|change|say|tie|score|sell)\b|^(?:did|got|finished|done) (?:i|you|we|he|she|they|it|milk|any|anything|a minute|time)\b|\b(?:not|isnt|arent|havent|hasnt|didnt|never|nearly|almost|half|partly|when|until|unless|before) (?:yet |quite )?(?:done|finished|through|completed|complete)\b|^(?:i|we|were|im|i am|i was)? ?through\b(?! with)|^got\b(?! (?:the|my|some|our|that|it done|everything|number|task|quoted))|^(?:i|we) got (?:a|an|paid|to|lost|engaged|sick|hungry|mad|this|up|into|in|married|fired|hired)\b|\bdid (?:not|nt)\b|^(?:i|we) did (?:i|you|it say)\b|\bgot (?:declined|stolen|charged|locked|blocked|frozen|rejected|a (?:flat|ticket|new|cold|raise))\b|${trouble.source}`,
    ),
    example: "I'm done with number two",
  },
  {
    id: 'i-did-it',
    intent: 'complete',
    when: new RegExp(
      String.raw`^(?:${subject} (?:${adverb} )*(?:(?:${doneVerbs})\b(?: ${adverb})* \S|put (?:the|my|all|those) .*(?:away|out|up|together|back)$|(?:voted|worked out|exercised|meditated|showered|shaved|voted today)$)|(?:ive|weve|(?:i|we) have) (?:${adverb} )*(?:taken care of|taken|written|eaten|gone to|seen to|put|driven|given|spoken|chosen|begun|${participles})\b.* \S)`,
    ),
    unless: new RegExp(
      `\\?$|^(?:i|we) (?:have |had )?(?:got|read|made|took|found|met|ran|went|had) an?\\b(?! (?:appointment|reservation|call))|\\bgot (?!the|my|some|our|that|those|it|everything|all|both|number|task|quoted|rid)\\w|${trouble.source}`,
    ),
    example: 'I paid the electricity bill',
  },
  {
    id: 'did-it',
    intent: 'complete',
    when: new RegExp(
      String.raw`^(?:${adverb} )*(?:${doneVerbs})(?: ${adverb})* (?:the|my|our|that|those|these|both|all|some|his|her|their|a|an|it|everything|quoted|number|task|up|out|off|for|to|with|mom|dad|\w+)\b`,
    ),
    unless: new RegExp(
      String.raw`\?$|^(?:${adverb} )*(?:did|done|made|got|read|set up|cut|put|found|told|asked|sold|closed|moved|changed|checked|booked|learned|planned|met|went|took|trained|made|hung|fed|over|charged|dropped|switched|crossed|canceled|cancelled|charged) (?:i|you|we|he|she|they|it rain|me|in|by|to be|of|from|near|for sale|between|any|anyone|someone|book|books|food|cold|for you|at home|how|what|who|where|when|why|more|another|back to|about|list|news|messages?|emails?|email|to me|me)\b|^(?:read|put|cut|set|set up|hit|shut|let) |^did (?:the|my|your|our) (?:\S+ )+(?:win|arrive|come|ship|go|pass|work|happen|start|end|close|open|clear|post|lose|play|call|text|die|change|get|say|tie|score|make it|sell)\b|^(?:moved|changed|checked|closed|charged|cancelled|canceled|dropped|told|asked|found|learned|made|met|ran|sold|got)\b(?! (?:the|my|our|that|those|both|all|quoted|off|out|to the))|^ran (?!to\b|the\b|\d)|${trouble.source}`,
    ),
    example: 'renewed my passport',
  },
  {
    id: 'it-is-done',
    intent: 'complete',
    when: new RegExp(
      String.raw`^(?!(?:what|whats|which|who|when|where|how|is|are|was|were|do|does|did|has|have|had|if|can|could|will|why|once|until|after|before|as soon as|you|he|she|they)\b).+ (?:is|are|was|were|has been|have been|has|got|gets|been|s|now|all) (?:${adverb} )*(?:${participles})(?: now| already| today| finally| up| this morning| for (?:today|now|the week)| at last| too| as well| yesterday| by me| off| and dusted)?$`,
    ),
    unless: new RegExp(
      String.raw`\?$|\b(?:not|isnt|arent|wasnt|hasnt|havent|almost|nearly|half|never|should be|payment|purchase|transaction|needs? to be|must be|will be|would be|to be|gets? to be|can be|want|need|until|unless|if|when|once|before|supposed|account|card|flight|reservation|restaurant|store|bank|application|transfer|lights?|door|alarm|timer|game|show|movie|season|road|school|post office|dry cleaners|store|shop|fraud|identity|luggage|w2|paycheck|i have|nothing)\b`,
    ),
    example: 'the dentist appointment is done',
  },
  {
    id: 'list-done',
    intent: 'complete',
    ours: true,
    when: new RegExp(
      String.raw`^(?:the |my |our |all |task |every)?(?:\S+ ){0,5}(?:completed|done|finished|paid|answered|taken out|taken care of|washed|folded|mailed|sent|submitted|bought|cleaned|watered|fed|packed|returned|renewed|printed|signed)(?: (?:for today|for now|now|already|too))?$`,
    ),
    unless:
      /\?$|^(?:what|whats|which|how|when|who|why|is|are|do|does|did|have|has|can|could|show|list|see|view|display|read|tell|get|give|not|well|half|almost|never|havent|hasnt|havent i|nearly|i|you|we|he|she|they|never|to|only|just|recently|should|anything|something|nothing|it|that)\b|\b(?:not|almost|nearly|half|never|to be|i|you|be|get|getting|anything|something|nothing|recently|medium|well|been|when|isnt)\b|^(?:completed|done|finished)$/,
    example: 'shopping list completed',
  },
  {
    id: 'need-thing',
    intent: 'add',
    when: /^(?:(?:i|we) (?:also |still |really )*(?:need|want)|need|were in need of|im in need of|we are in need of|(?:im|i am|were|we are|we re|its|the house is) (?:all |almost |completely |nearly |running |totally |getting )*(?:out of|low on|short on|short of)|(?:i|we) (?:just |almost |have |ve )*(?:ran|run) out of|running (?:out of|low on)|almost out of|all out of|out of|low on|(?:i|we) (?:need|have|got) to (?:buy|pick up|grab|purchase|get more)|(?:i|we) (?:gotta|should|must) (?:buy|pick up|grab)) (?:some |more |some more |a few |a couple of |extra |a gallon of |a loaf of |a carton of |a bag of |a dozen |a box of |a bottle of |a pack of |another )*[a-z-]+(?: (?:[a-z-]+|,|&|and)){0,5}$/,
    unless:
      /\b(?:to (?!buy|pick|grab|purchase|get)|you|your|help|directions?|info|information|assistance|advice|money|insurance|visas?|vaccin\w+|flights?|hotels?|rooms?|uber|taxi|ride|cab|recipes?|cards?|accounts?|loans?|checks?|reservations?|tickets?|answers?|know|translation|definition|weather|traffic|suggestions?|recommendations?|ideas?|reviews?|service|support|gas|town|office|work|luck|time|control|order|touch|breath|energy|battery|power|patience|options|music|songs?|light|lights|sleep|friends?|love|an? (?!gallon|loaf|carton|bag|dozen|box|bottle|pack|few|couple)|the|my|this|that|it|him|her|them|me|us|what|how|when|where|who|which|why|if|there|more info|(?<!^we |^i |house )(?:is|are|was)|in|at|near|for (?:a|an|my)|lower|higher|new|better|cheaper|something|someone|anything|nothing|one|instructions|time off|vacation|facts?|jokes?|entertainment|heat|cash|dollars|points|rewards|credit|data|storage|space|here|now|because|place|pto|w2|forms?)\b|\?$/,
    example: 'we need milk',
  },
  {
    id: 'verbless-to-list',
    intent: 'add',
    when: /^(?!(?:what|whats|is|are|do|does|did|which|how|when|where|who|whos|any|anything|read|tell|show|check|give|list|see|view|display|have|has|the|my|our|all|everything|items?|things?|stuff|i|you|we|open|pull|find|get|go|look|review|repeat|reminders?|tasks?|todos?|number|amount|contents?|content|information|info|details|more|next|last|first)\b)[\w-]+(?: (?:[\w-]+|,|&)){0,6}? (?:to|on|onto|into|for) (?:my |the |our |this )?(?:\S+ )?(?:list|todo list|shopping list|grocery list|todos)$/,
    unless: /\b(?:is|are|was|were|will|how|what|of|about|from|off|what|whats|wondering|wonder)\b/,
    example: 'milk and bread to shopping list',
  },
];
