// `npm run evaluate:liveness` reproduces the measured figures of presentation attack detection and of liveness sessions;
// `-- sessions` only those of sessions.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPadNetworks, type PackChoice } from '@wajah/engine';
import { evaluate, resultName } from './commands.ts';
import { measureInto, writeResult } from './measure/report.ts';
import { readOptions } from './run/command.ts';
import { measureSessions } from './sessions/measure-sessions.ts';
import { passingTable, type SessionColumn } from './sessions/summary.ts';

const PARTS = ['pad', 'sessions'];
const given = process.argv.slice(2);
const isWanted = (part: string) => given.includes(part) || !PARTS.some((one) => given.includes(one));
const options = readOptions(given.filter((one) => !PARTS.includes(one)));
const { folder, cache: cacheDir, packs: packsDir = 'data/packs', frames: kept } = options;
const pack: PackChoice = { id: 'builtin', packsDir, acceptNonCommercial: false };
const without: PackChoice = { ...pack, withoutPadNetworks: true };

/** Generated sessions of each attack species: on `test` so many that there are 200 of animated stills. */
const LIMITS = { test: 18, dev: 8 } as const;
const results = 'lab/results';

if (!(await findPadNetworks(packsDir, false))) {
  throw new Error(
    `Figures are published with the pack pad and without it: install it in ${packsDir}, or name its folder with --packs.`,
  );
}
const common = { data: folder.root, cacheDir, pack, plots: undefined };
if (isWanted('pad')) {
  for (const split of ['test', 'dev'] as const) {
    await evaluate({ ...common, task: 'pad', split, out: results });
    console.log(`wrote pad-${split}`);
  }
}
if (isWanted('sessions')) {
  const frames = kept ?? (await mkdtemp(join(tmpdir(), 'wajah-frames-')));
  try {
    await sessions(frames);
  } finally {
    if (kept === undefined) await rm(frames, { recursive: true, force: true });
  }
}

/** Sessions of both splits, with the pack and without it. @param stored frames and analyses, which both share */
async function sessions(stored: string): Promise<void> {
  const columns: SessionColumn[] = [];
  for (const split of ['test', 'dev'] as const) {
    for (const choice of [pack, without]) {
      const name = resultName('sessions', split, choice);
      await measureInto(results, name, async () => {
        const request = { ...common, split, pack: choice, limit: LIMITS[split], frames: join(stored, split) };
        const measured = await measureSessions(request);
        const title = `${split}, ${choice === pack ? 'with the pack' : 'without it'}`;
        columns.push({ title, groups: measured.groups });
        return { ...measured, plots: [] };
      });
      console.log(`wrote ${name}`);
    }
  }
  const notes = ['Attacks first, the one that passes most at the top; then honest sessions.'];
  const tables = [passingTable(columns)];
  writeResult(results, 'sessions', { pack: 'builtin with pad and without it', tables, notes });
  console.log('wrote sessions');
}
