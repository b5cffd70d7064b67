import { describe, expect, it } from 'vitest';
import { ourSources, withoutComments } from '../support/sources.ts';

const sources = ourSources();

describe('sources', () => {
  it('have names in kebab-case', () => {
    const odd = sources.filter(
      ({ path }) => !/^[a-z0-9/-]+(\.(test|bench|config|d))*\.(ts|tsx|js|mjs)$/.test(path),
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  it('export by name', () => {
    const byDefault = sources.filter(({ text }) => /^export default/m.test(text));
    expect(byDefault.map(({ path }) => path)).toEqual([]);
  });

  it('re-export only in the index of a package', () => {
    const barrels = sources.filter(
      ({ path, text }) => !/^packages\/[^/]+\/src\/index\.ts$/.test(path) && /^export \*/m.test(text),
    );
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });

  it('do not mock modules of this repository', () => {
    const mocks = sources.filter(({ text }) => /\bvi\.mock\(\s*['"](\.|@wajah)/.test(text));
    expect(mocks.map(({ path }) => path)).toEqual([]);
  });

  it('read what a page shows until it is as expected, never once', () => {
    const readOnce =
      /\bexpect\((new )?(\w+\()?\(?await ((?!\)\s*\.(to|not))[^;])*?(\.(count|is[A-Z]\w+|inputValue|textContent|innerText|allTextContents|getAttribute|evaluate)\b|\b(seriousViolations|cameras|eventsOf)\()/;
    const early = sources.filter(({ path, text }) => /^tests\/browser\//.test(path) && readOnce.test(text));
    expect(early.map(({ path }) => path)).toEqual([]);
  });

  it('of tests set no time limit of their own below that of all tests', () => {
    const limit = /\n *\}, ?(\d[\d_]*_000)\);|\n *(\d[\d_]*_000),\n *\);/g;
    const isShort = (found: RegExpMatchArray) =>
      Number((found[1] ?? found[2] ?? '').replaceAll('_', '')) < 300_000;
    const hasty = sources.filter(
      ({ path, text }) => path.endsWith('.test.ts') && [...text.matchAll(limit)].some(isShort),
    );
    expect(hasty.map(({ path }) => path)).toEqual([]);
  });

  it('spread no object that is written in the same place', () => {
    const spreads = sources.filter(({ text }) => /\.\.\.\{/.test(withoutComments(text)));
    expect(spreads.map(({ path }) => path)).toEqual([]);
  });

  it('name no path of one machine', () => {
    const places = sources.filter(({ text }) => /\/home\/[a-z]|\/work\/[a-z]|\/Users\/[a-z]/.test(text));
    expect(
      places.map(({ path }) => path).filter((path) => path !== 'tests/repository/house-rules.test.ts'),
    ).toEqual([]);
  });
});
