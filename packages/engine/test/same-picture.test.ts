import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { long } from '../../server/test/support/long.ts';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import { frameDetailOf } from '../src/series/frames/frame-detail.ts';
import { type FrameTrace, sameFrameQuery } from '../src/series/frames/same-picture.ts';
import { sharedEngine } from './support/shared-engine.ts';

const folder = fileURLToPath(new URL('../../../../shared/eval/', import.meta.url));
const yale = join(folder, 'eyes_mouth', 'yale');
const films = ['films/live_d5131267.MOV', 'films/live_642ce38f.MOV', 'films/live_4272b19c.MOV'];
const moreFilms = ['films/live_f1380c0e.mp4', 'selfies/8bf66eb9/4.3gp', 'selfies/8bf66eb9/8.mp4'];
const ffmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

/** One photograph under two names: equal pixels. */
const duplicates = [
  'subject03_noglasses subject03_normal',
  'subject04_normal subject04_sad',
  'subject06_noglasses subject06_normal',
  'subject09_noglasses subject09_normal',
  'subject12_noglasses subject12_normal',
  'subject14_noglasses subject14_normal',
];

const engine = await sharedEngine();

interface Seen {
  readonly name: string;
  readonly trace: FrameTrace;
  readonly finds: (other: FrameTrace) => boolean;
}

async function seen(name: string, picture: Uint8Array): Promise<Seen[]> {
  const { faces } = await engine.analyze(picture, {
    attributes: ['perceptualHash'],
    maxFaces: 1,
    search: 'fast',
  });
  return faces.flatMap(({ perceptualHash: hash }) => {
    if (!hash) return [];
    const trace = { bits: hash.bits, detail: frameDetailOf(hash.image) };
    return { name, trace, finds: sameFrameQuery(hash.image) };
  });
}

async function seenIn(directory: string, names: readonly string[]): Promise<Seen[]> {
  const all = await Promise.all(names.map((name) => seen(name, readFileSync(join(directory, name)))));
  return all.flat();
}

/** Pairs of which one is found in the other, of those that `differ`. */
function found(pictures: readonly Seen[], differ: (i: number, j: number) => boolean): string[] {
  return pictures.flatMap((a, i) =>
    pictures.flatMap((b, j) => (differ(i, j) && a.finds(b.trace) ? `${a.name} ${b.name}` : [])),
  );
}

describe.skipIf(!existsSync(yale))('L4: another photograph of the same person', () => {
  const subjects = long ? ['03', '04', '05', '06', '09', '10', '11', '12', '14', '15'] : ['05', '10', '11'];

  it.each(subjects)('on a tripod, is not taken for the same picture: subject %s', async (subject) => {
    const names = readdirSync(yale).filter((name) => name.startsWith(`subject${subject}`));
    const pictures = await seenIn(yale, names);
    const pairs = found(pictures, (i, j) => i < j);
    expect(pairs.map((pair) => pair.replaceAll('.jpg', ''))).toEqual(
      duplicates.filter((pair) => pair.startsWith(`subject${subject}`)),
    );
  });
});

describe.skipIf(!existsSync(join(folder, 'films')) || !ffmpeg || !long)('L2: frames of one film', () => {
  it.each([...films, ...moreFilms])(
    'more than a second apart are not taken for the same picture: %s',
    async (film) => {
      const directory = temporaryDirectory();
      const cut = ['-v', 'error', '-i', join(folder, film), '-vf', 'fps=4', '-q:v', '2', '%03d.jpg'];
      expect(spawnSync('ffmpeg', cut, { cwd: directory }).status).toBe(0);
      const frames = await seenIn(directory, readdirSync(directory).sort());
      const time = ({ name }: Seen) => Number.parseInt(name, 10) / 4;
      expect(frames.length).toBeGreaterThan(10);
      const apart = (i: number, j: number) => Math.abs(time(frames[i]!) - time(frames[j]!)) > 1;
      expect(found(frames, apart)).toEqual([]);
    },
  );
});
