import { expect, it } from 'vitest';
import { importGraph } from '../support/import-graph.ts';
import { isTest, ourSources, withoutComments } from '../support/sources.ts';

const sources = ourSources();
const declared =
  /^export (?:declare )?(?:abstract )?(?:async )?(const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** Names that a file exports by declaring them. Types are left out that its own signatures name. */
function exportsOf(text: string): string[] {
  return [...withoutComments(text).matchAll(declared)].flatMap(([, kind = '', name = '']) => {
    const isNamed = text.split(new RegExp(`\\b${name}\\b`)).length > 2;
    return /^(interface|type)$/.test(kind) && isNamed ? [] : [name];
  });
}

it('every exported value is imported by another file', () => {
  const importers = new Map<string, string[]>();
  for (const [path, targets] of importGraph(sources)) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  const texts = new Map(sources.map(({ path, text }) => [path, withoutComments(text)]));
  const unused = sources
    .filter(
      ({ path, text }) =>
        /^packages\/\w+\/src\//.test(path) && !isTest(path) && !text.startsWith('// Generated'),
    )
    .flatMap(({ path, text }) =>
      exportsOf(text)
        .filter((name) => {
          const named = new RegExp(`\\b${name}\\b|export \\* from|import \\* as|import\\(`);
          return !(importers.get(path) ?? []).some((importer) => named.test(texts.get(importer) ?? ''));
        })
        .map((name) => `${path}: ${name}`),
    );
  expect(unused).toEqual([]);
});
