import { describe, expect, it } from 'vitest';
import { cycles, folderCycles, importGraph, longestChain } from '../support/import-graph.ts';
import { isTest, ourSources } from '../support/sources.ts';

const sources = ourSources();

it('there is no import cycle, imports of types included', () => {
  expect(cycles(importGraph(sources))).toEqual([]);
});

/** Sources whose folders are read in one direction, and the most files in a chain of imports. */
const layered: [folder: string, longest: number][] = [
  ['packages/engine/src', 12],
  ['packages/server/src', 25],
  ['packages/server/src/http', 12],
  ['packages/server/src/store', 10],
];

describe.each(layered)('%s', (folder, longest) => {
  const product = sources.filter(({ path }) => path.startsWith(`${folder}/`) && !isTest(path));
  const graph = importGraph(product);

  it('no folders import each other in circles', () => {
    expect(folderCycles(graph, folder)).toEqual([]);
  });

  it(`no chain of imports has more than ${longest} files`, () => {
    const chain = longestChain(graph);
    expect(chain.length, chain.join('\n')).toBeLessThanOrEqual(longest);
  });
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

it('circles of folders are found at each depth, where no files are in one', () => {
  const graph = new Map([
    ['src/main.ts', ['src/a/one.ts', 'src/b/x/deep.ts']],
    ['src/a/one.ts', ['src/b/x/deep.ts']],
    ['src/a/two.ts', []],
    ['src/b/x/deep.ts', ['src/b/y/far.ts']],
    ['src/b/y/far.ts', []],
    ['src/b/y/near.ts', ['src/b/x/flat.ts']],
    ['src/b/x/flat.ts', ['lib/other.ts']],
    ['lib/other.ts', ['src/main.ts']],
  ]);
  expect(folderCycles(graph, 'src')).toEqual([['src/b/x', 'src/b/y']]);
  const back = new Map([...graph, ['src/b/y/far.ts', ['src/a/two.ts']]]);
  expect(folderCycles(back, 'src')).toEqual([
    ['src/a', 'src/b'],
    ['src/b/x', 'src/b/y'],
  ]);
});

it('the longest chain follows each file once', () => {
  const graph = new Map([
    ['a', ['b', 'c']],
    ['b', ['d']],
    ['c', ['b']],
    ['d', []],
    ['e', ['d']],
  ]);
  expect(longestChain(graph)).toEqual(['a', 'c', 'b', 'd']);
});
