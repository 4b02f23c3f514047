/** Words the rules hang on. A slip of one letter in them is corrected; other words are left alone. */
const keyWords =
  'delete remove remind reminder reminders remember change update rename complete completed finish finished task tasks show list mark done cancel erase priority postpone reschedule display grocery groceries shopping tomorrow today create overdue todo'.split(
    ' ',
  );

/** Real words that a slip in a key word could look like. */
const realWords = new Set(
  'how hows lit its lis marks ark don one dine ask asks tak shoe hone charge chance compete competed reminded changes changed updates updated deleted removed finishes finis moved remover lists shows marked tasked canceled cancels renamed created creates displayed grocer hopping shoping today todos toda so sow hose slit'.split(
    ' ',
  ),
);

const common: Readonly<Record<string, string>> = {
  remeber: 'remember',
  rember: 'remember',
  remmber: 'remember',
  remid: 'remind',
  reminde: 'remind',
  reminer: 'reminder',
  tommorow: 'tomorrow',
  tommorrow: 'tomorrow',
  tomorow: 'tomorrow',
  tomorro: 'tomorrow',
  tmrw: 'tomorrow',
  tmr: 'tomorrow',
  tmw: 'tomorrow',
  '2morrow': 'tomorrow',
  shoping: 'shopping',
  grocerys: 'groceries',
  grocerie: 'grocery',
  dleete: 'delete',
  deleet: 'delete',
  compleet: 'complete',
  pls: 'please',
  plz: 'please',
  plese: 'please',
  pleae: 'please',
  thx: 'thanks',
  u: 'you',
  wat: 'what',
  wats: 'whats',
  whats: 'whats',
  wht: 'what',
  gimme: 'give me',
  lemme: 'let me',
  ad: 'add',
  adde: 'add',
  addd: 'add',
  finishd: 'finished',
  alread: 'already',
  tsak: 'task',
  tsk: 'task',
  tsks: 'tasks',
  cancle: 'cancel',
  cancell: 'cancel',
  reshedule: 'reschedule',
  rescedule: 'reschedule',
};

const corrections = new Map<string, string>(Object.entries(common));

for (const word of keyWords) {
  for (const slip of slipsOf(word)) {
    if (!realWords.has(slip) && !keyWords.includes(slip) && !corrections.has(slip)) corrections.set(slip, word);
  }
}

/** Neighbouring letters exchanged; in longer words also one letter missing or doubled. */
function slipsOf(word: string): string[] {
  const slips: string[] = [];
  for (let at = 0; at < word.length; at++) {
    const [head, letter, next, tail] = [word.slice(0, at), word[at] ?? '', word[at + 1] ?? '', word.slice(at + 2)];
    if (next && next !== letter) slips.push(head + next + letter + tail);
    if (word.length < 6) continue;
    if (at > 0) slips.push(head + next + tail);
    slips.push(head + letter + letter + next + tail);
  }
  return slips;
}

export function correctTypo(word: string): string {
  return corrections.get(word) ?? word;
}
