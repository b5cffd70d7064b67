import { expect, it } from 'vitest';
import { cycles, folderCycles, importGraph } from '../support/import-graph.ts';
import { isTest, ourSources } from '../support/sources.ts';

const sources = ourSources();

it('there is no import cycle, imports of types included', () => {
  expect(cycles(importGraph(sources))).toEqual([]);
});

it.each(['packages/engine/src', 'packages/server/src'])(
  'no folders of %s import each other in circles',
  (folder) => {
    // Features and the core's tables name each other; tests/repository/imports.test.ts says how.
    const isOwn = (path: string) => path.startsWith(`${folder}/`) && !path.startsWith(`${folder}/features/`);
    const product = sources.filter(({ path }) => isOwn(path) && !isTest(path));
    expect(folderCycles(importGraph(product), folder)).toEqual([]);
  },
);

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
