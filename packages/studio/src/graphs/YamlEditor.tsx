import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  defaultHighlightStyle,
  foldGutter,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Problem } from './api.ts';
import classes from './YamlEditor.module.css';

interface YamlEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly problems: readonly Problem[];
  readonly onSave: () => void;
  /** Scrolls there and puts the cursor on the line. */
  readonly line?: number | undefined;
}

/** The file itself, with what is wrong marked where it is. */
export function YamlEditor({ text, onChange, problems, onSave, line }: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ onChange, onSave });
  useEffect(() => {
    latest.current = { onChange, onSave };
  });

  useEffect(() => {
    if (!host.current) return undefined;
    const save = () => {
      latest.current.onSave();
      return true;
    };
    view.current = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          lintGutter(),
          history(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          search({ top: true }),
          syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
          yaml(),
          keymap.of([
            { key: 'Mod-s', run: save, preventDefault: true },
            indentWithTab,
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
          ]),
          EditorView.contentAttributes.of({ 'aria-label': 'Graph file', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    return () => view.current?.destroy();
    // The editor owns the text once it is open; a reload makes a new one by its key.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const { doc } = editor.state;
    const diagnostics = problems.map((problem): Diagnostic => {
      const at = doc.line(Math.min(Math.max(problem.line, 1), doc.lines));
      const from = Math.min(at.from + Math.max(problem.column - 1, 0), at.to);
      return { from, to: Math.max(from, at.to), severity: problem.severity, message: problem.message };
    });
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [problems]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || line === undefined || line > editor.state.doc.lines) return;
    const { from } = editor.state.doc.line(line);
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  }, [line]);

  return <div ref={host} className={classes['editor']} />;
}
