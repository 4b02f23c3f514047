import type { Adaptations, Checkin, Pace } from './model.ts';

export interface Adapted extends Adaptations {
  /** One sentence per rule that fired. */
  readonly reasons: readonly string[];
  /** The learner is at the wheel: no role play at all. */
  readonly driving: boolean;
}

export const neutral: Adaptations = { pace: 'moderate', depth: 'standard', practiceEnabled: true };

const driving = /\bdriv(?:e|es|ing)\b|\bat the wheel\b/i;
const moving = /\bbusy\b|\bcommut|\btrain\b|\bbus\b|\bwalk|\bgym\b|\bsubway\b|\bmetro\b|\btram\b/i;
const noisy = /some[_ -]?noise|\bcaf[eé]|\bcoffee|\bshared\b|\bnois[ey]|\bopen[- ]plan|\blibrary\b/i;
const strained = /\bstress|\banxious|\btired|\bexhaust|\bfrustrat|\boverwhelm|\bnervous/i;

/** How to teach somebody who has this much time and energy, here. */
export function adapt(checkin: Checkin, preferredPace?: Pace): Adapted {
  const reasons: string[] = [];
  const time = timeScore(checkin.timeAvailable);
  const energy = checkin.energy === 'low' ? -1 : checkin.energy === 'high' ? 1 : 0;
  const where = checkin.environment ?? '';
  const atTheWheel = driving.test(where);
  const place = atTheWheel || moving.test(where) ? -2 : noisy.test(where) ? -1 : 0;

  let pace: Pace =
    energy < 0 || place === -2 ? 'patient' : energy > 0 && place === 0 && time >= 0 ? 'fast' : 'moderate';
  const depth = time < 0 || energy < 0 ? 'light' : energy > 0 && time > 0 ? 'deep' : 'standard';
  const practiceEnabled = time > -2 && place > -2 && !(energy < 0 && time === -1);

  if (energy < 0) reasons.push('Your energy is low, so I keep it short and take one thing at a time.');
  if (energy > 0) reasons.push('You have energy, so I may move faster and ask harder questions.');
  if (time < 0) reasons.push(`You have ${checkin.timeAvailable} minutes, so I keep to the essential.`);
  if (time > 0) reasons.push('You have time, so there is room for the reasons behind things.');
  if (place === -1) reasons.push('It is not quite quiet around you, so I keep my questions simple to follow.');
  if (place === -2 && !atTheWheel) reasons.push('You are on the move, so I go slowly and leave role play for later.');
  if (atTheWheel)
    reasons.push('You are driving, so there is no role play now: your eyes and hands belong to the road.');
  else if (!practiceEnabled && place > -2)
    reasons.push('A role play needs more time than this, so we leave it for another day.');

  if (strained.test(checkin.mindset ?? '') && pace !== 'patient') {
    pace = 'patient';
    reasons.push('You sound strained, so I go gently.');
  }
  if (preferredPace && slower(preferredPace, pace)) {
    pace = preferredPace;
    reasons.push(`You prefer a ${preferredPace} pace.`);
  }
  return { pace, depth, practiceEnabled, reasons, driving: atTheWheel };
}

function timeScore(minutes: number | undefined): number {
  if (minutes === undefined) return 0;
  if (minutes <= 10) return -2;
  if (minutes <= 20) return -1;
  return minutes >= 45 ? 1 : 0;
}

const paces: readonly Pace[] = ['patient', 'moderate', 'fast'];

function slower(pace: Pace, than: Pace): boolean {
  return paces.indexOf(pace) < paces.indexOf(than);
}

/** Fields of later check-ins win; those not sent keep their value. */
export function mergeCheckins(checkins: readonly Checkin[]): Checkin {
  return checkins.reduce((merged, next) => {
    const given = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined));
    return { ...merged, ...given };
  }, {} as Checkin);
}
