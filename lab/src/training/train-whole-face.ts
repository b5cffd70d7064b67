import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';
import { meanInChip } from '../template/chip.ts';

const OUT = fileURLToPath(new URL('../../../packages/engine/data/whole-face.json', import.meta.url));

const options = readOptions();
const meshes = await withPack(async (pack) => {
  const entries = options.folder.entries('verification', 'dev').filter(({ file }) => file.startsWith('lfw/'));
  const { measured } = await measureFaces(pack, options.folder, 'verification', entries, (face) => face.mesh);
  return measured.map(({ value }) => value);
});
const points = meanInChip(meshes).map((value) => Math.round(value * 1e5) / 1e5);
const source = {
  script: 'lab/src/training/train-whole-face.ts',
  data: 'dev: verification/lfw, most prominent face of each picture',
  meshes: meshes.length,
  method:
    "mean of the meshes, each laid by least squares onto dlib's five-point face chip; x, y of each point",
};
writeFileSync(options.out ?? OUT, `${JSON.stringify({ source, points: [...points] })}\n`);
