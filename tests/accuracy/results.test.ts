import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codeDigests, RESULTS } from '../../lab/src/measure/code-digest.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** Results whose code is younger, and why they were not measured again: pages must not show them as current. */
const STALE: Readonly<Record<string, string>> = {
  pairs: 'the 6,000 pairs need all pictures of LFW',
  'plus-pairs': 'the 6,000 pairs need all pictures of LFW',
};
const MARK = 'earlier version';

describe('results that pages show', () => {
  it.each(Object.keys(RESULTS))('%s is of the code that stands here (npm run measure)', (name) => {
    const { measured } = JSON.parse(read(`lab/results/${name}.json`));
    const { commit, ...digests } = measured ?? {};
    const isCurrent = JSON.stringify(digests) === JSON.stringify(codeDigests(name));
    expect([isCurrent, isCurrent ? /^[0-9a-f]{12}$/.test(commit) : name in STALE]).toEqual([
      !(name in STALE),
      true,
    ]);
  });

  it('rows of stale ones are marked, and no others', () => {
    const rows = ['docs/accuracy.md', 'docs/liveness.md'].flatMap((page) =>
      [...read(page).matchAll(/^\|.*\(\S*lab\/results\/([\w-]+)\.json\) \|$/gm)].map(([row, name = '']) => ({
        row,
        name,
      })),
    );
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter(({ row, name }) => row.includes(MARK) !== name in STALE)).toEqual([]);
  });
});
