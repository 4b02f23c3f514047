import { useEffect, useRef } from 'preact/hooks';
import type { Host } from './host-model.ts';
import type { Feedback, Finding, Line } from './practice-model.ts';
import { Talk } from './practice-talk.tsx';
import type { Strings } from './strings.ts';
import { Problem, Section, useAction } from './ui.tsx';

interface FeedbackProps {
  readonly host: Host;
  readonly strings: Strings;
  readonly feedback: Feedback;
  readonly lines: readonly Line[];
  readonly role: string;
}

export function FeedbackView({ host, strings, feedback, lines, role }: FeedbackProps) {
  const { busy, problem, run } = useAction(strings.tryAgain);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { title, summary, positives, improvements, gaps, notAssessed, hintsUsed } = feedback;
  return (
    <section class="card stack">
      <header>
        {title && <p class="quiet small">{title}</p>}
        <h1 ref={heading} tabIndex={-1}>
          {strings.feedback}
        </h1>
      </header>
      <p>{summary}</p>
      <Findings kind="good" title={strings.positives} findings={positives} strings={strings} />
      <Findings kind="next" title={strings.improvements} findings={improvements} strings={strings} />
      {gaps.length > 0 && (
        <Section title={strings.gaps}>
          <ul class="row">
            {gaps.map((gap) => (
              <li key={gap} class="pill teaching">
                {gap}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {notAssessed && !summary.includes(notAssessed) && <p class="quiet small">{notAssessed}</p>}
      {hintsUsed > 0 && <p class="quiet small">{strings.hintsUsed(hintsUsed)}</p>}
      {lines.length > 1 && (
        <details>
          <summary>{strings.transcript}</summary>
          <Talk lines={lines} role={role} strings={strings} thinking={false} />
        </details>
      )}
      {problem && <Problem>{problem}</Problem>}
      <div class="row">
        <button
          type="button"
          class="primary"
          aria-disabled={busy}
          onClick={() => run(() => host.say(strings.saidAfterPractice(gaps)))}
        >
          {strings.continueLearning}
        </button>
        {title && (
          <button type="button" aria-disabled={busy} onClick={() => run(() => host.say(strings.saidAgain(title)))}>
            {strings.again}
          </button>
        )}
      </div>
    </section>
  );
}

interface FindingsProps {
  readonly kind: 'good' | 'next';
  readonly title: string;
  readonly findings: readonly Finding[];
  readonly strings: Strings;
}

function Findings({ kind, title, findings, strings }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <Section title={title}>
      <ul class={`findings ${kind}`}>
        {findings.map((finding) => (
          <li key={finding.text}>
            {finding.text}
            {finding.quote && (
              <blockquote class="small">
                {strings.youSaid(finding.turn)} “{finding.quote}”
              </blockquote>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
