/** Pieces of patterns. All match the plain line of a `Sentence`: lower case, one space between words. */

export const taskNoun = String.raw`(?:tasks?|todos?|reminders?|lists?|checklists?|chores?|errands?|action items?|things to do|stuff to do)`;

/** Names of single entries; too common to mark a question as one about tasks. */
export const entryNoun = String.raw`(?:${taskNoun}|items?|entry|entries|ones?|note|notes|assignments?|tickets?|thing|things)`;

export const weekday = String.raw`(?:mon|tues?|wednes|thurs?|fri|satur|sun)day`;

export const dateWord = String.raw`(?:today|tonight|tomorrow|${weekday}s?|weekend|eod|eow|eom|noon|midnight|morning|afternoon|evening|next (?:week|month|year|${weekday})|this (?:week|month|year|${weekday})|(?:january|february|march|april|june|july|august|september|october|november|december)|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec) \d+|may \d+|\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?::\d\d)? ?(?:am|pm|a\.m\.?|p\.m\.?)|\d{1,2}:\d\d|\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}|o ?clock|(?:in )?(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d+|couple of|few) (?:min|minute|hour|day|week|month)s?|end of (?:the )?(?:day|week|month|year)|at \d{1,2}|(?:at|to|for|by|until) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))`;

export const field = String.raw`(?:due date|due time|due|deadline|date|time|priority|title|name|description|details?|status|wording|importance|urgency|label|tag)`;

export const finished = String.raw`(?:done|complete|completed|finished|taken care of|accomplished|closed|resolved|did)`;

/** Things other assistants look after. Where one of them is the object, the request is not about tasks. */
const foreignWords =
  'alarms? timers? stopwatch calendars? playlists? songs? music albums? artists? tracks? volume brightness lights? lamps? bulbs? thermostat temperature heat heater heating ac fan tv television radio stations? podcasts? audiobooks? videos? channels? netflix spotify youtube flights? planes? airlines? hotels? motels? reservations? bookings? table uber lyft taxi cab ride accounts? balance bank banks? credit debit cards? pins? passwords? passcode apr interest loans? mortgage transfers? transactions? checks? payments? paycheck salary pto insurance polic(?:y|ies) limit settings? language accent voice speed mode whisper camera photos? pictures? screen phone phones contacts? emails? e-mails? inbox messages? texts? sms whatsapp facebook twitter tweets? instagram apps? application applications browser history cache cookies files? folders? computer laptop wifi bluetooth data subscriptions? memberships? orders? packages? cart door doors garage blinds curtains vacuum robot oven stove coffee machine washer dryer sprinklers? gps route routes traffic weather news stocks? shares? score scores game games recipes? recipe ingredients? calories restaurants? oil tires? tyres? battery engine jokes? facts? quotes? units? currency dollars euros money savings checking 401k w2 w-2 vaccines? visa visas luggage voicemail conversation chat wallpaper theme font fraud address profile purchases? lyrics? dispute software movies? resume'.split(
    ' ',
  );
export const foreign = new RegExp(String.raw`\b(?:${foreignWords.join('|')}|your|yourself)\b`);

/** Where a thing can be added to that is not a task list. */
export const foreignContainer =
  /\b(?:to|on|in|into|onto|from|off|of) (?:(?:my|the|our|his|her|this|that|a|an) (?:[a-z]+ ){0,2})?(?:playlist|calendar|account|cart|contacts?|contact list|timer|alarm|queue|phone|favorites|favourites|balance|reservation|order|card|album|library|radio|watchlist|watch list|bill|policy|insurance|speaker|tv|wallet|schedule|portfolio|profile|email|message|group chat|savings|checking|plan|route|video|photo|picture|document|recipe|soup|trip|itinerary|event|meeting|party|dish)\b/;

export const question =
  /^(?:what|whats|which|whos?|whose|when|whens|where|wheres|how|hows|is|isnt|are|arent|was|were|do|does|did|didnt|dont i|have i|have you|has|had|am i|any|anything|will i|should i|shall i)\b/;

/** Verbs that tasks usually begin with, in their plain form. */
export const taskVerb = new RegExp(
  String.raw`^(?:${'buy call phone ring text email mail pay send write book clean wash get pick fix finish prepare prep pack make cook bake order return renew submit file read review study practice learn walk feed water mow paint repair replace schedule plan visit meet go take bring drop collect print sign scan upload download install update check test deploy push build organize organise sort sweep mop vacuum dust iron fold hang tidy declutter donate sell list post publish draft edit proofread research find ask tell talk speak invite rsvp register enroll apply cancel confirm arrange move change charge refill backup back shred do help watch listen train run exercise workout stretch meditate hit attend join start stop try use put set turn work catch pull cut trim shop purchase grab gather give deliver ship wrap unpack rent lease transfer deposit withdraw invest budget claim dispute complain thank congratulate remind assemble hire interview onboard present rehearse measure calibrate inspect service tune wax rake plant prune harvest weed dig shovel salt defrost thaw marinate chop freeze can'.split(' ').join('|')})\b`,
);
