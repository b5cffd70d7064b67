// Left out of npm test, unless it is named.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/sources.ts';

/** Megabytes: the ceiling that docs/dev/reliability.md states for a server with the default settings. */
const ceiling = 600;

it('floods of bodies leave a server below its ceiling of memory', () => {
  const program = join(root, 'bench/dist/load.js');
  const { stdout } = spawnSync(process.execPath, [program, '--parts', 'bodies'], { encoding: 'utf8' });
  const most = [...stdout.matchAll(/\| (\d+) \| \d+ \|$/gm)].map(([, megabytes]) => Number(megabytes));
  expect(most).toHaveLength(4);
  expect(Math.max(...most)).toBeLessThan(ceiling);
});
