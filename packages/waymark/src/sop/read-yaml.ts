import { type Document, parseDocument } from 'yaml';

export interface YamlProblem {
  readonly offset: number;
  readonly message: string;
}

/** Parses YAML that may be anything. What would overflow the stack is a problem like any other. */
export function readYaml(text: string): { document: Document.Parsed | undefined; problems: YamlProblem[] } {
  try {
    const document = parseDocument(text, { prettyErrors: false });
    const problems = document.errors.map(({ pos, message }) => ({ offset: pos[0], message }));
    return { document: problems.length === 0 ? document : undefined, problems };
  } catch {
    return { document: undefined, problems: [{ offset: 0, message: 'it is nested too deeply' }] };
  }
}
