// Left out of npm test, unless it is named.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/sources.ts';

/** Megabytes: the ceiling that docs/reliability.md states for a server with the default settings. */
const ceiling = 1700;

it('floods of bodies leave a server below its ceiling of memory, which it gives back', () => {
  const program = join(root, 'bench/dist/load.js');
  const { stdout } = spawnSync(process.execPath, [program, '--parts', 'bodies'], { encoding: 'utf8' });
  const rows = [...stdout.matchAll(/\| (\d+) \| (\d+) \| (\d+) \|$/gm)].map((row) =>
    row.slice(1).map(Number),
  );
  expect(rows).toHaveLength(4);
  for (const [before = 0, most, after] of rows) {
    expect(most).toBeLessThan(ceiling);
    expect(after).toBeLessThan(1.2 * before + 20);
  }
});
