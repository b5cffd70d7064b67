import { expect, it } from 'vitest';
import { cycles, importGraph } from '../support/import-graph.ts';
import { ourSources } from '../support/sources.ts';

it('there is no import cycle, imports of types included', () => {
  expect(cycles(importGraph(ourSources()))).toEqual([]);
});

it('the search for cycles finds strongly connected files only', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['e']],
    ['e', ['d']],
    ['f', ['a']],
  ]);
  expect(cycles(graph)).toEqual([
    ['d', 'e'],
    ['a', 'b', 'c'],
  ]);
});
