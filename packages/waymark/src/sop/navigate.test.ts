import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEvent, currentWalk, startConversation } from './conversation.ts';
import type { Navigation, Sop } from './model.ts';
import { planMove } from './navigate.ts';
import { parseSop } from './parse-sop.ts';
import { readExample, sopWith } from './sop.test-helpers.ts';

const { sop: retail } = parseSop(await readExample('retail.md'));
if (!retail) throw new Error('the example does not load');

function begin(sop: Sop) {
  const conversation = startConversation('c', 'u', '');
  applyEvent(conversation, { type: 'loaded', agent: sop.agent, hash: sop.hash, file: '', reset: false });
  const walk = () => currentWalk(conversation) ?? { path: [], unlocked: new Set<string>() };
  return {
    walk,
    go(target: string, navigation: Navigation = 'strict') {
      const move = planMove({ sop, walk: walk(), facts: conversation.facts, navigation }, target);
      if (move.allowed) applyEvent(conversation, move.event);
      return move;
    },
  };
}

/** Every state of the procedure that moves can lead to: where it stands, and whether ROUTE is unlocked. */
function explore(sop: Sop, navigation: Navigation): Set<string> {
  const seen = new Set<string>();
  const queue: { path: string[]; unlocked: Set<string> }[] = [{ path: [], unlocked: new Set() }];
  for (let state = queue.pop(); state; state = queue.pop()) {
    for (const target of sop.nodes.keys()) {
      const move = planMove({ sop, walk: state, facts: new Map(), navigation }, target);
      if (!move.allowed) continue;
      const unlocked = new Set([...state.unlocked, ...(move.event.unlocks ? [target] : [])]);
      const key = `${target}/${[...unlocked].join()}`;
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push({ path: [target], unlocked });
    }
  }
  return seen;
}

describe('over all states of the retail procedure', () => {
  test('exactly the moves along edges, to the entry, to the place itself and to unlocked re-entry nodes are allowed [SOP-039] [SOP-040]', () => {
    let refused = 0;
    for (const from of retail.nodes.keys()) {
      for (const unlocked of [new Set<string>(), new Set(['ROUTE'])]) {
        for (const to of retail.nodes.keys()) {
          const walk = { path: ['START', from], unlocked };
          const { allowed } = planMove({ sop: retail, walk, facts: new Map(), navigation: 'strict' }, to);
          const byEdge = retail.edges.get(from)?.some((edge) => edge.to === to) ?? false;
          expect(allowed, `${from} to ${to}`).toBe(
            byEdge || to === 'START' || to === from || (to === 'ROUTE' && unlocked.has(to)),
          );
          if (!allowed) refused++;
        }
      }
    }
    expect(refused).toBeGreaterThan(2900);
  });

  test('no node that writes can be reached without authentication; with literal navigation all can', () => {
    const withoutAuth: Sop = {
      ...retail,
      edges: new Map([...retail.edges].map(([from, edges]) => [from, from === 'AUTH' ? [] : edges])),
    };
    const writes = [...retail.nodes.keys()].filter((id) => id.startsWith('DO_'));
    const reached = (navigation: Navigation) => {
      const states = explore(withoutAuth, navigation);
      return writes.filter((id) => [...states].some((state) => state.startsWith(`${id}/`)));
    };
    expect(writes).toHaveLength(7);
    expect(reached('strict')).toEqual([]);
    expect(reached('spec')).toEqual(writes);
  });
});

describe('for any walk through any graph', () => {
  const ids = ['START', 'A', 'B', 'C', 'ROUTE', 'D'];
  const graphs = fc
    .array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), { minLength: 1, maxLength: 14 })
    .map(
      (edges) =>
        parseSop(
          sopWith(
            `flowchart TD\n START\n A\n B\n C\n ROUTE\n D\n${edges.map(([a, b]) => ` ${a} --> ${b}`).join('\n')}`,
          ),
        ).sop,
    )
    .filter((sop) => sop !== undefined);
  const walks = fc.array(fc.constantFrom(...ids, 'nowhere'), { maxLength: 30 });

  test('a refused move changes nothing, an allowed one ends where it should, and routes lead there', () => {
    fc.assert(
      fc.property(graphs, walks, (sop, targets) => {
        const { walk, go } = begin(sop);
        for (const [index, target] of targets.entries()) {
          const before = [...walk().path];
          const move = go(target);
          if (move.allowed) {
            expect(walk().path.at(-1)).toBe(target);
            continue;
          }
          expect(walk().path).toEqual(before);
          if (!move.route) continue;
          // All that was tried before, not just the path: what was reached once stays open after a new start.
          const copy = begin(sop);
          for (const step of targets.slice(0, index)) copy.go(step);
          for (const step of move.route) expect(copy.go(step).allowed).toBe(true);
          expect(copy.walk().path.at(-1)).toBe(target);
        }
      }),
      { numRuns: 300 },
    );
  });
});
