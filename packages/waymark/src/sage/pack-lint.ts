import { parseDocument } from 'yaml';
import { assess } from './assess.ts';
import { recogniseMoves } from './moves.ts';
import {
  type Check,
  type Pack,
  type PackConcept,
  packSchema,
  type Said,
  type Scenario,
  type Situation,
} from './pack-model.ts';

export interface PackProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  /** Where in the pack: `concepts.value_anchoring.checks.explain_back`. */
  readonly path: string;
  readonly message: string;
}

export interface ReadPack {
  readonly pack: Pack | undefined;
  readonly problems: readonly PackProblem[];
}

/** Reads a pack from YAML or JSON text. Without `samples` only its form is checked, which is what a start has time for. */
export function readPack(text: string, options: { readonly samples?: boolean } = {}): ReadPack {
  const document = parseDocument(text, { uniqueKeys: true });
  const [syntax] = document.errors;
  if (syntax)
    return { pack: undefined, problems: [problem('error', 'SYNTAX', '', syntax.message.split('\n')[0] ?? '')] };
  const parsed = packSchema.safeParse(document.toJS());
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) =>
      problem('error', 'FORMAT', issue.path.map(String).join('.'), issue.message),
    );
    return { pack: undefined, problems };
  }
  return { pack: parsed.data, problems: lintPack(parsed.data, options) };
}

/** Everything that can be checked without teaching it; with `samples` also the answers and messages it brings. */
export function lintPack(pack: Pack, { samples = true }: { readonly samples?: boolean } = {}): PackProblem[] {
  const form = [...duplicates(pack), ...references(pack), ...cycles(pack), ...patternProblems(pack)];
  if (form.some(({ code }) => code === 'BAD_PATTERN')) return form;
  return [
    ...form,
    ...teachingProblems(pack),
    ...pack.concepts.flatMap(checkFormProblems),
    ...pack.scenarios.flatMap(scenarioProblems),
    ...(samples ? sampleProblems(pack) : []),
  ];
}

function problem(severity: PackProblem['severity'], code: string, path: string, message: string): PackProblem {
  return { severity, code, path, message };
}

function duplicates(pack: Pack): PackProblem[] {
  const lists: [string, readonly { readonly id: string }[]][] = [
    ['outcomes', pack.outcomes],
    ['concepts', pack.concepts],
    ['scenarios', pack.scenarios],
    ...pack.concepts.map(({ id, checks }): [string, typeof checks] => [`concepts.${id}.checks`, checks]),
    ...pack.concepts.flatMap(({ id, checks }) =>
      checks.map((check): [string, typeof check.criteria] => [
        `concepts.${id}.checks.${check.id}.criteria`,
        check.criteria,
      ]),
    ),
    ...pack.scenarios.map(({ id, moves }): [string, typeof moves] => [`scenarios.${id}.moves`, moves]),
    ...pack.scenarios.map(({ id, beats }): [string, typeof beats] => [`scenarios.${id}.beats`, beats]),
  ];
  return lists.flatMap(([path, items]) => {
    const seen = new Set<string>();
    return items.flatMap(({ id }) => {
      if (seen.has(id)) return [problem('error', 'DUPLICATE_ID', path, `"${id}" is defined twice`)];
      seen.add(id);
      return [];
    });
  });
}

function references(pack: Pack): PackProblem[] {
  const concepts = new Set(pack.concepts.map(({ id }) => id));
  const scenarios = new Set(pack.scenarios.map(({ id }) => id));
  const unknown = (path: string, ids: readonly string[], known: ReadonlySet<string>, what: string) =>
    ids.filter((id) => !known.has(id)).map((id) => problem('error', 'UNKNOWN_ID', path, `there is no ${what} "${id}"`));
  const used = new Set(pack.outcomes.flatMap(({ requires }) => requires));
  return [
    ...pack.outcomes.flatMap(({ id, requires, practice }) => [
      ...unknown(`outcomes.${id}.requires`, requires, concepts, 'concept'),
      ...unknown(`outcomes.${id}.practice`, practice ? [practice] : [], scenarios, 'scenario'),
    ]),
    ...pack.concepts.flatMap(({ id, prerequisites, relates }) => [
      ...unknown(`concepts.${id}.prerequisites`, prerequisites, concepts, 'concept'),
      ...unknown(
        `concepts.${id}.relates`,
        relates.map(({ to }) => to),
        concepts,
        'concept',
      ),
      ...(used.has(id)
        ? []
        : [problem('warning', 'UNUSED_CONCEPT', `concepts.${id}`, 'no outcome requires this concept')]),
    ]),
    ...pack.scenarios.flatMap((scenario) => [
      ...unknown(`scenarios.${scenario.id}.concepts`, scenario.concepts, concepts, 'concept'),
      ...scenario.moves.flatMap(({ id, gap }) =>
        unknown(`scenarios.${scenario.id}.moves.${id}.gap`, gap ? [gap] : [], concepts, 'concept'),
      ),
    ]),
  ];
}

function cycles(pack: Pack): PackProblem[] {
  const before = new Map(pack.concepts.map(({ id, prerequisites }) => [id, prerequisites]));
  const done = new Set<string>();
  const problems: PackProblem[] = [];
  const visit = (id: string, trail: readonly string[]): void => {
    if (trail.includes(id)) {
      const loop = [...trail.slice(trail.indexOf(id)), id].join(' → ');
      problems.push(problem('error', 'PREREQUISITE_CYCLE', `concepts.${id}`, `prerequisites go in a circle: ${loop}`));
      return;
    }
    if (done.has(id)) return;
    for (const prerequisite of before.get(id) ?? []) visit(prerequisite, [...trail, id]);
    done.add(id);
  };
  for (const id of before.keys()) visit(id, []);
  for (const { id, requires } of pack.outcomes) {
    for (const [position, required] of requires.entries()) {
      const late = (before.get(required) ?? []).filter((prerequisite) => requires.indexOf(prerequisite) > position);
      for (const prerequisite of late) {
        const message = `"${required}" is taught before its prerequisite "${prerequisite}"`;
        problems.push(problem('error', 'TEACHING_ORDER', `outcomes.${id}.requires`, message));
      }
    }
  }
  return problems;
}

function patternProblems(pack: Pack): PackProblem[] {
  const problems: PackProblem[] = [];
  const inspect = (path: string, said: Said | undefined, unless: readonly string[] = []) => {
    for (const pattern of [...(said ?? []).flat(), ...unless]) {
      const source = /^\/(.+)\/$/s.exec(pattern)?.[1];
      if (source === undefined) continue;
      try {
        void new RegExp(source, 'iu');
      } catch {
        problems.push(problem('error', 'BAD_PATTERN', path, `${pattern} is not a regular expression`));
      }
      if (/\([^)]*[+*][^)]*\)[+*]/.test(source)) {
        problems.push(problem('error', 'SLOW_PATTERN', path, `${pattern} repeats a repetition and may take forever`));
      }
    }
  };
  for (const { id, probes, checks } of pack.concepts) {
    for (const [index, probe] of probes.entries()) inspect(`concepts.${id}.probes.${index}`, probe.knows);
    for (const check of checks) {
      for (const item of [...check.criteria, ...check.misconceptions]) {
        inspect(`concepts.${id}.checks.${check.id}.${item.id}`, item.said, item.unless);
      }
    }
  }
  for (const { id, moves } of pack.scenarios) {
    for (const move of moves) inspect(`scenarios.${id}.moves.${move.id}`, move.said, move.unless);
  }
  return problems;
}

function checkFormProblems({ id, checks }: PackConcept): PackProblem[] {
  const path = `concepts.${id}`;
  const kinds = new Set(checks.map(({ kind }) => kind));
  const onlyExplains = kinds.size === 1 && kinds.has('explain');
  return [
    ...(kinds.has('explain')
      ? []
      : [problem('error', 'NO_EXPLAIN_CHECK', path, 'a concept needs a check of the kind explain')]),
    ...(onlyExplains
      ? [problem('error', 'ONLY_EXPLAIN_CHECKS', path, 'a concept needs a scenario, boundary or connection check')]
      : []),
    ...checks
      .filter(({ criteria }) => !criteria.some(({ required }) => required))
      .map((check) =>
        problem('error', 'NOTHING_REQUIRED', `${path}.checks.${check.id}`, 'at least one criterion must be required'),
      ),
  ];
}

/** Runs the sample answers and messages of a pack through its own judgement. */
function sampleProblems(pack: Pack): PackProblem[] {
  return [
    ...pack.concepts.flatMap((concept) => concept.checks.flatMap((check) => answerProblems(pack, concept, check))),
    ...pack.scenarios.flatMap((scenario) =>
      scenario.moves.flatMap((move) =>
        move.examples
          .filter((example) => !recogniseMoves([move], example, pack.synonyms)[0])
          .map((example) => {
            const at = `scenarios.${scenario.id}.moves.${move.id}.examples`;
            return problem('error', 'EXAMPLE_NOT_RECOGNISED', at, `"${example}" is not recognised as this move`);
          }),
      ),
    ),
  ];
}

function answerProblems(pack: Pack, concept: PackConcept, check: Check): PackProblem[] {
  const at = `concepts.${concept.id}.checks.${check.id}`;
  const shown = [check.ask, ...concept.teach.flatMap(({ light, standard, deep }) => [light, standard, deep])];
  const problems: PackProblem[] = [];
  for (const [index, answer] of check.good.entries()) {
    const found = assess(check, answer, shown, pack.synonyms);
    if (found.level === 'solid') continue;
    const why = [
      ...found.missing.filter(({ required }) => required).map(({ id }) => `misses ${id}`),
      ...found.misconceptions.map(({ misconception }) => `is taken for ${misconception.id}`),
      ...(found.parroted ? ['repeats the explanation'] : []),
      ...(found.reason ? [`is ${found.reason}`] : []),
    ];
    problems.push(problem('error', 'GOOD_NOT_SOLID', `${at}.good.${index}`, `a good answer ${why.join(', ')}`));
  }
  for (const [index, answer] of check.weak.entries()) {
    if (assess(check, answer, [], pack.synonyms).level !== 'solid') continue;
    problems.push(problem('error', 'WEAK_IS_SOLID', `${at}.weak.${index}`, 'a weak answer is judged solid'));
  }
  if (assess(check, check.ask, [], pack.synonyms).level === 'solid') {
    problems.push(problem('error', 'QUESTION_ANSWERS_ITSELF', at, 'repeating the question is judged solid'));
  }
  return problems;
}

function teachingProblems(pack: Pack): PackProblem[] {
  return pack.concepts.flatMap(({ id, teach }) => {
    const approaches = new Set(teach.map(({ approach }) => approach));
    const same = approaches.size < teach.length;
    return [
      ...(same
        ? [problem('error', 'SAME_APPROACH', `concepts.${id}.teach`, 'two explanations name the same approach')]
        : []),
      ...teach.flatMap(({ approach, light, standard, deep }) =>
        light.length < standard.length && standard.length < deep.length
          ? []
          : [problem('warning', 'DEPTHS', `concepts.${id}.teach.${approach}`, 'light, standard and deep should grow')],
      ),
    ];
  });
}

function scenarioProblems(scenario: Scenario): PackProblem[] {
  const path = `scenarios.${scenario.id}`;
  const moves = new Set(scenario.moves.map(({ id }) => id));
  const problems: PackProblem[] = [];
  const inspect = (at: string, when: Situation | undefined) => {
    for (const id of [when?.moves, when?.without, when?.done, when?.missing].flatMap((ids) => ids ?? [])) {
      if (!moves.has(id)) problems.push(problem('error', 'UNKNOWN_ID', at, `there is no move "${id}"`));
    }
  };
  for (const beat of scenario.beats) inspect(`${path}.beats.${beat.id}`, beat.when);
  for (const [index, hint] of scenario.hints.entries()) {
    inspect(`${path}.hints.${index}`, hint.when);
    if (hint.text.split(/\s+/).length > 25) {
      problems.push(problem('error', 'LONG_HINT', `${path}.hints.${index}`, 'a hint has at most 25 words'));
    }
  }
  const last = scenario.beats.at(-1);
  if (last?.when || !last?.repeat) {
    problems.push(problem('error', 'NO_LAST_BEAT', `${path}.beats`, 'the last beat needs repeat: true and no when'));
  }
  for (const beat of scenario.beats.slice(0, -1)) {
    if (!beat.when)
      problems.push(problem('error', 'UNREACHABLE_BEAT', `${path}.beats.${beat.id}`, 'hides the beats after it'));
  }
  if (!scenario.moves.some(({ good, expected }) => good && expected)) {
    problems.push(problem('error', 'NOTHING_EXPECTED', `${path}.moves`, 'at least one good move must be expected'));
  }
  for (const { id, expected, missed } of scenario.moves) {
    if (!expected || missed !== undefined) continue;
    problems.push(
      problem(
        'warning',
        'NO_ADVICE',
        `${path}.moves.${id}`,
        'an expected move should say in `missed` what to do next time',
      ),
    );
  }
  if (!scenario.moves.some(({ good }) => !good)) {
    problems.push(problem('warning', 'NO_BAD_MOVE', `${path}.moves`, 'no move is recognised as a mistake'));
  }
  return problems;
}
