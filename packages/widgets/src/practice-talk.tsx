import { useEffect, useRef } from 'preact/hooks';
import type { Line } from './practice-model.ts';
import type { Strings } from './strings.ts';

interface TalkProps {
  readonly lines: readonly Line[];
  readonly role: string;
  readonly strings: Strings;
  readonly thinking: boolean;
}

export function Talk({ lines, role, strings, thinking }: TalkProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines, thinking]);
  return (
    <div class="talk" ref={box} role="log" aria-label={strings.openPractice} tabIndex={0}>
      {lines.map((line, index) => (
        <TalkLine key={index} line={line} role={role} strings={strings} />
      ))}
      {thinking && <p class="typing">{strings.typing(role)}</p>}
    </div>
  );
}

function TalkLine({ line, role, strings }: { readonly line: Line; readonly role: string; readonly strings: Strings }) {
  if (line.by === 'note') return <p class="quiet small">{line.text}</p>;
  if (line.by === 'hint') {
    return (
      <p class="note">
        <b>{strings.hintLabel}: </b>
        {line.text}
      </p>
    );
  }
  const mine = line.by === 'learner';
  return (
    <div class={mine ? 'said mine' : 'said'}>
      <b>{mine ? strings.you : role}</b>
      <p>{line.text}</p>
    </div>
  );
}
