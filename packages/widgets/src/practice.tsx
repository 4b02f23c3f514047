import { useEffect, useRef, useState } from 'preact/hooks';
import { mount, type WidgetProps } from './mount.tsx';
import { FeedbackView } from './practice-feedback.tsx';
import {
  type Feedback,
  isFeedback,
  type Line,
  openingLines,
  readFeedback,
  readHint,
  readReply,
  readScene,
} from './practice-model.ts';
import { Talk } from './practice-talk.tsx';
import { record } from './read.ts';
import { Problem, succeeded, useAction } from './ui.tsx';
import './practice.css';

function Practice(props: WidgetProps) {
  return isFeedback(props.result) ? (
    <FeedbackView
      {...props}
      feedback={readFeedback(props.result)}
      lines={readFeedback(props.result).lines}
      role={props.strings.practiceTitle}
    />
  ) : (
    <RolePlay key={readScene(props.result).practice} {...props} />
  );
}

interface Kept {
  readonly practice: string;
  readonly lines: readonly Line[];
}

function RolePlay(props: WidgetProps) {
  const { host, strings, result } = props;
  const scene = readScene(result);
  const [lines, setLines] = useState<readonly Line[]>(
    () => keptLines(host.savedState, scene.practice) ?? openingLines(result),
  );
  const [draft, setDraft] = useState('');
  const [turns, setTurns] = useState(() => lines.filter(({ by }) => by === 'learner').length);
  const [sceneOver, setSceneOver] = useState(false);
  const [nextHint, setNextHint] = useState('');
  const [doing, setDoing] = useState<'reply' | 'hint' | 'end' | undefined>();
  const [feedback, setFeedback] = useState<Feedback | undefined>();
  const { busy, problem, run } = useAction(strings.tryAgain);
  const composer = useRef<HTMLTextAreaElement>(null);

  useEffect(() => host.saveState({ practice: scene.practice, lines } satisfies Kept), [host, scene.practice, lines]);

  const act = (what: typeof doing, action: () => Promise<void>) =>
    run(async () => {
      setDoing(what);
      try {
        await action();
      } finally {
        setDoing(undefined);
      }
    });

  const send = () => {
    const message = draft.trim();
    if (message === '' || busy) return;
    const before = lines;
    setDraft('');
    setLines([...before, { by: 'learner', text: message }]);
    act('reply', async () => {
      try {
        const answered = await host.callTool('sage_practice_message', { session_id: scene.practice, message });
        const reply = readReply(succeeded(answered));
        const unseen = reply.turn - turns - 1;
        setLines([
          ...before,
          ...(unseen > 0 ? [{ by: 'note', text: strings.earlier(unseen) } as const] : []),
          { by: 'learner', text: message },
          { by: 'character', text: reply.text },
        ]);
        setTurns(reply.turn);
        setSceneOver(reply.sceneOver);
        setNextHint(reply.hint);
      } catch (error) {
        setLines(before);
        setDraft(message);
        throw error;
      } finally {
        composer.current?.focus();
      }
    });
  };

  const hint = () =>
    act('hint', async () => {
      const asked = host.callTool('sage_practice_hint', { session_id: scene.practice }).then(succeeded);
      // A server may leave that tool out of its list; the last reply brought a hint along.
      const found = nextHint ? await asked.then(readHint, () => nextHint) : readHint(await asked);
      setLines([...lines, { by: 'hint', text: found || strings.noHint }]);
      composer.current?.focus();
    });

  const end = () =>
    act('end', async () => {
      const answered = succeeded(await host.callTool('sage_practice_end', { session_id: scene.practice }));
      setFeedback({ ...readFeedback(answered), title: scene.title });
      await host.inform(
        `The learner ended the practice "${scene.title}". Feedback: ${JSON.stringify(answered.structuredContent)}`,
      );
    });

  if (feedback) return <FeedbackView {...props} feedback={feedback} lines={lines} role={scene.sageRole} />;

  return (
    <section class="card stack">
      <header class="roles">
        <div class="row spread">
          <h1>{scene.title || strings.practiceTitle}</h1>
          {turns > 0 && <span class="pill">{strings.turn(turns)}</span>}
        </div>
        {scene.description && <p class="quiet">{scene.description}</p>}
        {scene.userRole && <p class="small">{strings.yourRole(scene.userRole)}</p>}
      </header>
      <Talk lines={lines} role={scene.sageRole} strings={strings} thinking={doing === 'reply'} />
      {sceneOver && <p class="note">{strings.sceneOver}</p>}
      {problem && <Problem>{problem}</Problem>}
      <form
        class="compose"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div>
          <label class="hidden" for="reply">
            {strings.yourReply}
          </label>
          <textarea
            id="reply"
            ref={composer}
            rows={2}
            maxLength={4000}
            placeholder={strings.yourReply}
            title={strings.sendHint}
            value={draft}
            onInput={(event) => setDraft(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              send();
            }}
          />
        </div>
        <button type="submit" class={sceneOver ? '' : 'primary'} aria-disabled={busy}>
          {strings.send}
        </button>
      </form>
      <div class="row spread">
        <button type="button" aria-disabled={busy} onClick={hint}>
          {strings.hint}
        </button>
        <button type="button" class={sceneOver ? 'primary' : ''} aria-disabled={busy} onClick={end}>
          {doing === 'end' ? strings.ending : strings.end}
        </button>
      </div>
    </section>
  );
}

function keptLines(saved: unknown, practice: string): readonly Line[] | undefined {
  const kept = record(saved);
  return kept['practice'] === practice && Array.isArray(kept['lines']) ? (kept['lines'] as Line[]) : undefined;
}

void mount('practice', Practice);
