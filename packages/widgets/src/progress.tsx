import { useEffect, useState } from 'preact/hooks';
import { mount, type WidgetProps } from './mount.tsx';
import { readProgress } from './progress-model.ts';
import type { Strings } from './strings.ts';
import { Problem, Section, Status, succeeded, useAction } from './ui.tsx';
import './progress.css';

function Progress({ host, strings, result }: WidgetProps) {
  const [latest, setLatest] = useState(result);
  useEffect(() => setLatest(result), [result]);
  const { busy, problem, run } = useAction(strings.tryAgain);
  const { goal, stats, proofs, ideas, followups, planned, dueReviews } = readProgress(latest);
  const next = ideas.find(({ status }) => status === 'teaching') ?? ideas.find(({ status }) => status !== 'understood');
  const nextSteps = [
    ...followups.map(strings.tellHow),
    ...planned.map(({ what, day }) => strings.planned(what, day && inDays(day, strings.language))),
    ...(next ? [strings.nextIdea(next.name)] : []),
  ];
  const refresh = () => run(async () => setLatest(succeeded(await host.callTool('sage_progress', {}))));
  const say = (message: string) => run(() => host.say(message));

  return (
    <section class="card stack" aria-busy={busy}>
      <div class="row spread">
        <h1>{strings.progressTitle}</h1>
        <button type="button" class="plain" aria-disabled={busy} onClick={refresh}>
          {strings.refresh}
        </button>
      </div>
      {goal ? (
        <div class="goal-line">
          <Ring share={goal.share} label={goal.description} strings={strings} />
          <div>
            <p class="quiet small">{strings.activeGoal}</p>
            <h2>{goal.description}</h2>
            <p class="quiet">{strings.proven(goal.proven, goal.required)}</p>
          </div>
        </div>
      ) : (
        <p>{strings.noGoal}</p>
      )}
      <dl class="numbers">
        <Figure label={strings.stats.sessions} value={stats.sessions} />
        <Figure label={strings.stats.proofs} value={stats.proofs} />
        <Figure label={strings.stats.concepts} value={stats.concepts} />
        <Figure label={strings.stats.streak} value={stats.streak} />
      </dl>
      {dueReviews > 0 && (
        <div class="due row spread">
          <span>{strings.dueReviews(dueReviews)}</span>
          <button type="button" onClick={() => say(strings.saidReview)}>
            {strings.reviewNow}
          </button>
        </div>
      )}
      {nextSteps.length > 0 && (
        <Section title={strings.nextSteps}>
          <ol class="steps">
            {nextSteps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Section>
      )}
      {ideas.length > 0 && (
        <Section title={strings.ideas}>
          <ul class="lines">
            {ideas.map(({ name, status }) => (
              <li key={name} class="row spread">
                <span>{name}</span>
                <Status status={status} label={strings.status[status] ?? status} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={strings.recentProofs}>
        {proofs.length === 0 ? (
          <p class="quiet">{strings.noProofs}</p>
        ) : (
          <ul class="lines">
            {proofs.map(({ name, day, quote }) => (
              <li key={`${name} ${day}`}>
                <div class="row spread">
                  <span>{name}</span>
                  <time class="quiet small" dateTime={day}>
                    {inDays(day, strings.language)}
                  </time>
                </div>
                {quote && (
                  <blockquote class="small">
                    <span class="hidden">{strings.ownWords}: </span>“{quote}”
                  </blockquote>
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
      {problem && <Problem>{problem}</Problem>}
      <button
        type="button"
        class="primary"
        aria-disabled={busy}
        onClick={() => say(goal ? strings.saidContinue(goal.description) : strings.saidSetGoal)}
      >
        {goal ? strings.continueLearning : strings.setGoal}
      </button>
    </section>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Ring({
  share,
  label,
  strings,
}: {
  readonly share: number;
  readonly label: string;
  readonly strings: Strings;
}) {
  const length = 2 * Math.PI * 40;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
    >
      <svg class="ring" viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r="40" />
        {share > 0 && (
          <circle
            class="done"
            cx="50"
            cy="50"
            r="40"
            stroke-dasharray={`${share * length} ${length}`}
            transform="rotate(-90 50 50)"
          />
        )}
        <text x="50" y="58">
          {strings.percent(share)}
        </text>
      </svg>
    </div>
  );
}

/** A day such as `2026-11-15` in the reader's words, without moving it into another time zone. */
function inDays(day: string, language: string): string {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    date,
  );
}

void mount('progress', Progress);
