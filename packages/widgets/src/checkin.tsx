import { useEffect, useRef, useState } from 'preact/hooks';
import { mount, type WidgetProps } from './mount.tsx';
import { record, text, texts } from './read.ts';
import type { Strings } from './strings.ts';
import { Problem, succeeded, useAction } from './ui.tsx';
import './checkin.css';

interface Answers {
  readonly energy?: string;
  readonly minutes?: number;
  readonly environment?: string;
  readonly intention: string;
}

interface Adapted {
  readonly pace: string;
  readonly depth: string;
  readonly practice: boolean;
  readonly reasons: readonly string[];
}

const times = [10, 20, 30, 60];
const [leastMinutes, mostMinutes] = [1, 600];

function Checkin({ host, strings, result }: WidgetProps) {
  const started = record(result.structuredContent);
  const session = text(started['sessionId']);
  const token = text(record(result._meta)['checkinToken']);
  const goal = text(record(started['activeOutcome'])['description']);
  const [answers, setAnswers] = useState<Answers>({ intention: text(started['suggestedGoal']) });
  const [adapted, setAdapted] = useState<Adapted | undefined>(host.savedState as Adapted | undefined);
  const { busy, problem, run } = useAction(strings.tryAgain);
  const heading = useRef<HTMLHeadingElement>(null);
  const moved = useRef(false);

  useEffect(() => {
    if (moved.current) heading.current?.focus();
    moved.current = true;
  }, [adapted]);

  const submit = (given: Answers) =>
    run(async () => {
      const answered = succeeded(
        await host.callTool('sage_checkin', {
          session_id: session,
          ...(given.energy ? { energy: given.energy } : {}),
          ...(given.minutes ? { time_available: given.minutes } : {}),
          ...(given.intention.trim() ? { intention: given.intention.trim() } : {}),
          ...(given.environment ? { environment: given.environment } : {}),
          ...(token ? { checkin_token: token } : {}),
        }),
      );
      const outcome = readAdaptations(answered.structuredContent, answered._meta);
      setAdapted(outcome);
      host.saveState(outcome);
      await host.say(strings.saidCheckin(inWords(given, strings)));
    });

  if (adapted) {
    return (
      <section class="card stack">
        <header>
          <h1 ref={heading} tabIndex={-1}>
            {strings.checkedIn}
          </h1>
          <p class="quiet">{strings.checkedInLead}</p>
        </header>
        <ul class="changes">
          <li>{strings.pace[adapted.pace] ?? adapted.pace}</li>
          <li>{strings.depth[adapted.depth] ?? adapted.depth}</li>
          <li>{adapted.practice ? strings.practiceOn : strings.practiceOff}</li>
        </ul>
        {adapted.reasons.map((reason) => (
          <p key={reason} class="quiet small">
            {reason}
          </p>
        ))}
        {problem && <Problem>{problem}</Problem>}
        <button type="button" class="plain" onClick={() => setAdapted(undefined)}>
          {strings.change}
        </button>
      </section>
    );
  }

  return (
    <form
      class="card stack"
      aria-labelledby="checkin-title"
      onSubmit={(event) => {
        event.preventDefault();
        submit(answers);
      }}
    >
      <header>
        <h1 id="checkin-title" ref={heading} tabIndex={-1}>
          {strings.checkinTitle}
        </h1>
        <p class="quiet">{strings.checkinLead}</p>
      </header>
      {goal && (
        <p class="goal">
          <b>{strings.activeGoal}</b>
          {goal}
        </p>
      )}
      <div>
        <label class="question" for="intention">
          {strings.intention}
        </label>
        <textarea
          id="intention"
          rows={2}
          maxLength={500}
          placeholder={strings.intentionHint}
          value={answers.intention}
          onInput={(event) => setAnswers({ ...answers, intention: event.currentTarget.value })}
        />
      </div>
      <Choice
        name="energy"
        legend={strings.energy}
        value={answers.energy}
        options={[
          ['low', strings.energyLow],
          ['medium', strings.energyMedium],
          ['high', strings.energyHigh],
        ]}
        levels
        onChoose={(energy) => setAnswers({ ...answers, energy })}
      />
      <fieldset>
        <legend>{strings.time}</legend>
        <div class="minutes">
          <Options
            name="time"
            value={String(answers.minutes ?? '')}
            options={times.map((minutes) => [String(minutes), strings.minutesShort(minutes)])}
            onChoose={(minutes) => setAnswers({ ...answers, minutes: Number(minutes) })}
          />
          <input
            type="number"
            aria-label={strings.timeOther}
            placeholder={strings.timeOtherShort}
            min={leastMinutes}
            max={mostMinutes}
            value={answers.minutes ?? ''}
            onInput={(event) => setAnswers(withMinutes(answers, event.currentTarget.valueAsNumber))}
          />
        </div>
      </fieldset>
      <Choice
        name="place"
        legend={strings.place}
        value={answers.environment}
        options={[
          ['quiet', strings.placeQuiet],
          ['some_noise', strings.placeNoise],
          ['commuting', strings.placeMoving],
        ]}
        onChoose={(environment) => setAnswers({ ...answers, environment })}
      />
      {problem && <Problem>{problem}</Problem>}
      <div class="row">
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? strings.sending : strings.begin}
        </button>
        <button type="button" class="plain" aria-disabled={busy} onClick={() => submit({ intention: '' })}>
          {strings.skip}
        </button>
      </div>
    </form>
  );
}

interface OptionsProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
  /** Draws one to three bars before the labels. */
  readonly levels?: boolean;
  onChoose(value: string): void;
}

function Choice({ legend, ...options }: OptionsProps & { readonly legend: string }) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <Options {...options} />
    </fieldset>
  );
}

function Options({ name, value, options, levels, onChoose }: OptionsProps) {
  return (
    <div class="choices">
      {options.map(([option, label], index) => (
        <label key={option} class="choice">
          <input type="radio" name={name} value={option} checked={value === option} onChange={() => onChoose(option)} />
          <span>
            {levels && (
              <span class="level" aria-hidden="true">
                {[0, 1, 2].map((bar) => (
                  <i key={bar} class={bar <= index ? 'on' : ''} />
                ))}
              </span>
            )}
            {label}
          </span>
        </label>
      ))}
    </div>
  );
}

function withMinutes({ minutes: _previous, ...rest }: Answers, typed: number): Answers {
  return Number.isFinite(typed)
    ? { ...rest, minutes: Math.min(mostMinutes, Math.max(leastMinutes, Math.round(typed))) }
    : rest;
}

function readAdaptations(content: unknown, meta: unknown): Adapted {
  const { pace, depth, practiceEnabled } = record(record(content)['adaptations']);
  const reasons = texts(record(record(meta)['adaptations'])['reasons']);
  return { pace: text(pace), depth: text(depth), practice: practiceEnabled === true, reasons };
}

function inWords({ energy, minutes, environment, intention }: Answers, strings: Strings): string[] {
  const places: Record<string, string> = {
    quiet: strings.placeQuiet,
    some_noise: strings.placeNoise,
    commuting: strings.placeMoving,
  };
  return [
    ...(energy ? [strings.saidEnergy[energy] ?? energy] : []),
    ...(minutes ? [strings.minutes(minutes)] : []),
    ...(environment ? [(places[environment] ?? environment).toLowerCase()] : []),
    ...(intention.trim() ? [strings.saidIntention(intention.trim())] : []),
  ];
}

void mount('checkin', Checkin);
