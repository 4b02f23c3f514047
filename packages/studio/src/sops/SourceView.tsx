import { useEffect, useRef } from 'react';
import type { PlacedProblem } from './outline.ts';
import classes from './sops.module.css';

interface SourceViewProps {
  readonly source: string;
  readonly problems: readonly PlacedProblem[];
  /** Brought into sight. */
  readonly line: number | undefined;
}

/** The file as it is written, with what the check found below the lines it is about. */
export function SourceView({ source, problems, line }: SourceViewProps) {
  const marked = useRef<HTMLLIElement>(null);
  useEffect(() => marked.current?.scrollIntoView({ block: 'center' }), [line]);
  return (
    // Focusable, so that the keyboard can scroll it.
    <div className={classes['source']} tabIndex={0} role="region" aria-label="File">
      <ol>
        {source.split('\n').map((text, index) => {
          const number = index + 1;
          const own = problems.filter((problem) => problem.line === number);
          return (
            <li key={number} ref={number === line ? marked : null} data-marked={number === line}>
              <code>{text}</code>
              {own.map(({ code, message, severity, col }) => (
                <p key={`${code} ${col}`} data-severity={severity}>
                  {message}
                </p>
              ))}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
