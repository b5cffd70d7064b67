import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../packages/engine/test/drawn/drawn-face.ts';
import { hasPadFiles, installedPadPack } from '../../packages/engine/test/support/pad-pack.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { wajah } from '../support/program.ts';

const people = ['ani', 'budi', 'citra', 'darma'] as const;
const settings = { WAJAH_DATA_DIR: temporaryDirectory() };

const data = temporaryDirectory();
for (const person of people) {
  mkdirSync(join(data, person));
  writeFileSync(join(data, person, '1.jpg'), await drawnFace({ person }));
  writeFileSync(join(data, person, '2.jpg'), await drawnFace({ person, tilt: 6, brightness: 0.85 }));
}
const empty = await drawnPicture({ width: 300, height: 300, faces: [] });
writeFileSync(join(data, 'ani', '3.jpg'), empty);

describe('wajah evaluate', () => {
  it('measures verification on folders of people, with plots', async () => {
    const plots = join(temporaryDirectory(), 'plots');
    const run = await wajah(settings, 'evaluate', 'verification', '--data', data, '--json', '--plots', plots);
    expect(run).toMatchObject({ code: 0 });
    const report = JSON.parse(run.out);
    expect(report.pack).toMatch(/^builtin /);
    const [about, all] = report.sections;
    expect(about.figures[0]).toMatchObject({ what: 'pictures', value: '9' });
    expect(about.figures[1].share).toMatchObject({ events: 1, trials: 9 });
    expect(all.figures[0]).toMatchObject({ value: '6', evidence: '2 with a failure to acquire' });
    expect(report.plots).toHaveLength(1);
    for (const path of report.plots) expect(readFileSync(path, 'utf8')).toMatch(/^<svg /);
  });

  it('measures identification as a table', async () => {
    const { code, out } = await wajah(settings, 'evaluate', 'identification', '--data', data);
    expect(code).toBe(0);
    expect(out).toMatch(/^Gallery of 4 people/m);
    expect(out).toMatch(/^mated probes not at rank 1, without a threshold +\d+\.\d %/m);
  });

  it('writes tables and notes into a file of a folder', async () => {
    const folder = temporaryDirectory();
    const args = ['evaluate', 'verification', '--data', data, '--out', folder];
    expect(await wajah(settings, ...args)).toMatchObject({ code: 0 });
    const { pack, tables } = JSON.parse(readFileSync(join(folder, 'verification-test.json'), 'utf8'));
    expect(pack).toMatch(/^builtin \d+ on test/);
    const { rows } = tables.find(({ title }: { title: string }) => title === 'All pairs');
    expect(rows[0].slice(0, 2)).toEqual(['all', '6; 2 with a failure to acquire']);
  });

  it.skipIf(!hasPadFiles)(
    'measures presentation attack detection by species, camera and collection',
    async () => {
      const own = { WAJAH_DATA_DIR: temporaryDirectory() };
      await installedPadPack(join(own.WAJAH_DATA_DIR, 'packs'));
      const folder = temporaryDirectory();
      const write = (task: string, entries: readonly Record<string, unknown>[]) => {
        mkdirSync(join(folder, task));
        const rows = entries.map((entry, i) => ({ file: `${i}.jpg`, split: 'test', ...entry }));
        for (const { file } of rows.filter((row) => row.file.endsWith('.jpg'))) {
          copyFileSync(join(data, people[0], file === '0.jpg' ? '1.jpg' : '2.jpg'), join(folder, task, file));
        }
        writeFileSync(join(folder, task, 'manifest.json'), JSON.stringify(rows));
      };
      const one = { framing: 'frame', person: 'ani', collection: 'drawn' };
      write('pad', [
        { ...one, label: 'real', attack: null },
        { ...one, label: 'spoof', attack: 'print' },
      ]);
      write('selfies', [
        { identity: 'ani', device: 'phone', kind: 'picture' },
        { file: 'film.mp4', identity: 'ani', device: 'phone', kind: 'film', split: 'dev' },
      ]);
      const run = await wajah(own, 'evaluate', 'pad', '--data', folder, '--json');
      expect(run).toMatchObject({ code: 0, err: '' });
      const { sections } = JSON.parse(run.out) as { sections: { title: string; figures: object[] }[] };
      expect(
        sections.map(({ title }) => title.replace(/,? with the pack pad \(threshold 0\.\d\d\)/, '')),
      ).toEqual([
        'APCER by attack species, the worst first: print, frame',
        'BPCER by camera and framing: other, frame',
        'BPCER by camera and framing: phone, frame',
        'By collection: `drawn`',
        'By collection: `selfies`',
        'Pooled',
        'Single frames',
        'Decisions',
      ]);
      expect(sections[0]?.figures[0]).toMatchObject({
        what: 'APCER, unclear accepted',
        share: { trials: 1 },
      });
      const none = await wajah(own, 'evaluate', 'pad', '--data', folder, '--split', 'dev');
      expect(none).toMatchObject({
        code: 1,
        err: expect.stringMatching(/no pictures of dev in pad, pad2, spoof or selfies/),
      });
    },
  );

  it.each([
    [['verification', '--data', '/nowhere'], 1, /holds neither verification\/manifest\.json nor one folder/],
    [['mask', '--data', '/nowhere'], 1, /no folder of labelled pictures/],
    [['verification'], 2, /--data/],
    [['age', '--data', '.'], 2, /one of verification, identification/],
    [['mask', '--data', '.', '--split', 'train'], 2, /dev or test/],
  ])('says what is wrong with %j', async (args, code, said) => {
    const run = await wajah(settings, 'evaluate', ...args);
    expect(run).toMatchObject({ code, err: expect.stringMatching(said) });
    expect(run.err).not.toContain('    at ');
  });
});

describe('wajah calibrate', () => {
  it('takes few pictures beside the curve of the pack, and prints counts and intervals', async () => {
    await wajah(settings, 'client', 'create', 'acme');
    const run = await wajah(settings, 'calibrate', '--data', data, '--install', 'server');
    expect(run).toMatchObject({ code: 0, err: expect.stringContaining('Installed for the server') });
    expect(run.out).toMatch(/^impostor pairs +24 /m);
    expect(run.out).toMatch(/exact 95 % intervals/);
  });

  it('explains where it can be installed', async () => {
    const run = await wajah(settings, 'calibrate', '--data', data, '--install', 'acme');
    expect(run).toMatchObject({ code: 2, err: expect.stringContaining('Allowed: server or gallery') });
  });
});
