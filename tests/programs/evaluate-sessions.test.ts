import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { filmOf } from '../../packages/server/test/support/film.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { wajah } from '../support/program.ts';

const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
const shown = [
  'face front',
  'face left',
  'face right',
  'face up',
  'face front',
  'face left',
  'face right',
  'face up',
];
let data: string;

beforeAll(async () => {
  data = temporaryDirectory();
  const folder = join(data, 'films', 'ani');
  mkdirSync(folder, { recursive: true });
  const film = await filmOf('ani');
  for (const [i, { image }] of (await film.frames(shown)).entries()) {
    writeFileSync(join(folder, `${i}.jpg`), Buffer.from(image, 'base64'));
  }
  const entry = { file: 'ani', split: 'dev', label: 'real', attack: null, person: 'ani' };
  writeFileSync(join(data, 'films', 'manifest.json'), JSON.stringify([entry]));
});

const evaluate = (...args: string[]) =>
  wajah(settings, 'evaluate', 'sessions', '--data', data, '--split', 'dev', '--limit', '2', ...args);

describe('wajah evaluate on films', () => {
  it('runs the sessions of a film, given as a folder of frames, and counts those that are refused', async () => {
    const run = await evaluate('--json', '--species', 'honest, first');
    expect(run).toMatchObject({ code: 0 });
    const { pack, sections } = JSON.parse(run.out);
    expect(pack).toMatch(/^builtin \d+ without a PAD pack/);
    const [bpcer, checks] = sections;
    expect(bpcer.title).toMatch(/BPCER/);
    expect(bpcer.figures[0]).toMatchObject({ what: 'honest, first try', share: { trials: 2 } });
    expect(checks.figures[0]).toMatchObject({
      what: 'honest, first try',
      value: expect.stringMatching(/of 2$/),
    });
  });

  it('says when the folder has nothing to run', async () => {
    const run = await evaluate('--species', 'replayed');
    expect(run.code).toBe(1);
    expect(run.err).toMatch(/neither films nor suitable stills/);
  });
});
