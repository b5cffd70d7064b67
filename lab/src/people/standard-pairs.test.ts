import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { standardPairsIn } from '../data/standard-pairs.ts';
import { standardSection } from './standard-pairs.ts';

const lines = ['2\t1', 'Ani\t1\t2', 'Ani\t1\tBudi\t1', 'Citra\t1\t12', 'Citra\t1\tBudi\t1'];

function pairsOf(text: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), 'pairs-'));
  writeFileSync(join(root, 'pairs.txt'), `${text.join('\n')}\n`);
  return standardPairsIn(root);
}

/** Pictures as angles, degrees; null: without a face. */
function samplesOf(angles: Readonly<Record<string, number | null>>) {
  return Object.entries(angles).map(([file, angle]) => ({
    identity: file.split('/')[0]!,
    file,
    subset: 'folders',
    region: null,
    template:
      angle === null
        ? null
        : Float32Array.of(Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)),
  }));
}

const angles = {
  'Ani/Ani_0001.jpg': 0,
  'Ani/Ani_0002.jpg': 20,
  'Budi/Budi_0001.jpg': 120,
  'Citra/Citra_0001.jpg': 200,
  'Citra/Citra_0012.jpg': 225,
};

const figure = (angle: typeof angles | Record<string, number | null>, what: string) =>
  standardSection(samplesOf(angle), pairsOf(lines)).figures.find((one) => one.what === what)!;

it('reads the pairs of one person and of two, fold by fold', () => {
  expect(pairsOf(lines)).toEqual([
    { a: 'Ani/Ani_0001.jpg', b: 'Ani/Ani_0002.jpg', same: true, fold: 0 },
    { a: 'Ani/Ani_0001.jpg', b: 'Budi/Budi_0001.jpg', same: false, fold: 0 },
    { a: 'Citra/Citra_0001.jpg', b: 'Citra/Citra_0012.jpg', same: true, fold: 1 },
    { a: 'Citra/Citra_0001.jpg', b: 'Budi/Budi_0001.jpg', same: false, fold: 1 },
  ]);
});

it('names a line that is no pair, and a file that is cut', () => {
  expect(() => pairsOf([...lines.slice(0, 4), 'Citra\tone\tBudi\t1'])).toThrow('line 5');
  expect(() => pairsOf(lines.slice(0, 4))).toThrow('first line');
});

it('decides each fold at the threshold of the others', () => {
  expect(figure(angles, 'accuracy').value).toBe('100.00 % ± 0.00');
  // Genuine and impostor pair are 20° and 100° apart in one fold, 75° and 80° in the other, whose genuine pair is missed
  // at the threshold of the first.
  const apart = { ...angles, 'Ani/Ani_0001.jpg': 220, 'Ani/Ani_0002.jpg': 240, 'Citra/Citra_0012.jpg': 275 };
  expect(figure(apart, 'accuracy').value).toBe('75.00 % ± 25.00');
});

it('counts a picture without a face as a non-match, and refuses one that is missing', () => {
  const blind = figure({ ...angles, 'Ani/Ani_0002.jpg': null }, 'accuracy');
  // The genuine pair is missed; a threshold that accepts everything is the best of this fold, and wrong in the other.
  expect(blind.value).toBe('50.00 % ± 0.00');
  const { 'Ani/Ani_0002.jpg': _, ...rest } = angles;
  expect(() => figure(rest, 'accuracy')).toThrow('Ani/Ani_0002.jpg');
});
