import { runBounded } from './bounded.ts';

/** How the work of a pattern can grow with its input: with n, n², n³, or without limit. */
type Growth = 'linear' | 'quadratic' | 'cubic' | 'unknown';

const harmlessLength: Record<Growth, number> = { linear: Infinity, quadratic: 10_000, cubic: 300, unknown: 8 };

const growthBySource = new Map<string, Growth>();

function growthOf(source: string): Growth {
  let growth = growthBySource.get(source);
  if (growth === undefined) {
    if (growthBySource.size >= 1000) growthBySource.clear();
    growth = judge(source);
    growthBySource.set(source, growth);
  }
  return growth;
}

/** Counts the open-ended quantifiers; one on a group, or a back reference, can make any cost. */
function judge(source: string): Growth {
  const bare = source.replace(/\\[^1-9k]/g, '_').replace(/\[(?:[^\]\\]|\\.)*\]/g, '_');
  if (/\\[1-9k]/.test(bare) || /\)(?:[*+]|\{\d)/.test(bare) || /\(\?[=!<]/.test(bare)) return 'unknown';
  const quantifiers = bare.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0;
  if (quantifiers === 0) return 'linear';
  return quantifiers === 1 ? 'quadratic' : quantifiers === 2 ? 'cubic' : 'unknown';
}

/** The regular expressions of JSONata: native where that is safe, watched by a timer where it is not. */
export function boundedRegExp(timeoutMs: number): RegExpConstructor {
  class BoundedRegExp extends RegExp {
    override exec(text: string): RegExpExecArray | null {
      if (text.length <= harmlessLength[growthOf(this.source)]) return super.exec(text);
      return runBounded(() => super.exec(text), timeoutMs, `The regular expression /${this.source}/`);
    }
  }
  return BoundedRegExp as unknown as RegExpConstructor;
}
