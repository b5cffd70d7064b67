// Cost of analysing a picture by the attributes requested, and similarity of face crops to their pictures by crop size.
//   npm run bench pictures -- [--data ../shared/eval] [--pictures 40] [--crops 60] [--packs data/packs] [--beside PACK]
//     [--spoof-nets]
// Pictures: colour, one face each, split `dev` of the verification task. The first table has medians of one thread in
// milliseconds: wall time, CPU time, and the difference and ratio of CPU time to embedding alone of the same picture.
// --beside: an installed pack computes templates too. --spoof-nets: the PAD networks of the packs folder run too.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeImage } from '../../packages/engine/dist/imaging/decode.js';
import { type Engine, openEngineInThread } from '../../packages/engine/dist/index.js';
import { compareCrops } from './pictures/crops.ts';
import { median, timeWorkloads } from './pictures/timing.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/eval' },
    pictures: { type: 'string', default: '40' },
    crops: { type: 'string', default: '60' },
    packs: { type: 'string', default: 'data/packs' },
    beside: { type: 'string' },
    'spoof-nets': { type: 'boolean', default: false },
  },
});
const image = { maxBytes: 64 << 20, maxPixels: 100e6 };

function open(id: string, nets = false): Promise<Engine> {
  const pack = { id, packsDir: values.packs, acceptNonCommercial: false };
  const isPlain = id === 'builtin' && !nets;
  return openEngineInThread({ cacheDir: '.cache', image, ...(isPlain ? {} : { pack }) });
}

/** Pictures spread evenly over the manifest. */
function* candidates(): Generator<Uint8Array> {
  const folder = join(values.data, 'verification');
  const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
  const entries = JSON.parse(manifest) as { file: string; split: string }[];
  const files = entries.filter(({ split }) => split === 'dev').map(({ file }) => file);
  // The step has no factor in common with the number of files, so each is visited once.
  const step = 7919;
  for (let i = 0; i < files.length; i++) yield readFileSync(join(folder, files[(i * step) % files.length]!));
}

/** Whether a picture has colours; many of the labelled ones are greyscale. */
async function isColour(bytes: Uint8Array): Promise<boolean> {
  const { pixels } = await decodeImage(bytes, image);
  let difference = 0;
  for (let at = 0; at < pixels.length; at += 3) difference += Math.abs(pixels[at]! - pixels[at + 2]!);
  return difference / (pixels.length / 3) > 5;
}

async function choose(engine: Engine, count: number): Promise<Uint8Array[]> {
  const chosen: Uint8Array[] = [];
  for (const bytes of candidates()) {
    if (chosen.length === count) break;
    const { found } = await engine.analyze(bytes, { attributes: [], maxFaces: 1, search: 'fast' });
    if (found === 1 && (await isColour(bytes))) chosen.push(bytes);
  }
  return chosen;
}

const engine = await open('builtin', values['spoof-nets']);
const { embeddingSpec } = engine;
const pictures = await choose(engine, Math.max(Number(values.pictures), Number(values.crops)));
const timed = pictures.slice(0, Number(values.pictures));
console.log(`${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`);
console.log(
  `pack ${embeddingSpec.pack} ${embeddingSpec.version}${values['spoof-nets'] ? ' with PAD networks' : ''}\n`,
);
if (timed.length > 0) {
  const sizes = timed.map(({ length }) => length / 1000);
  console.log(`${timed.length} pictures, median ${median(sizes).toFixed(0)} kB, one thread; milliseconds\n`);
  console.log('| attributes | wall | CPU | more CPU | × |\n| --- | --- | --- | --- | --- |');
  for (const row of await timeWorkloads(engine, timed)) console.log(row);
}
if (Number(values.crops) > 0) {
  const engines = [engine, ...(values.beside ? [await open(values.beside)] : [])];
  const names = engines.map((one) => `${one.embeddingSpec.pack} ${one.embeddingSpec.version}`);
  console.log(
    `\n${pictures.length} pictures; inner product of the template of the crop with that of the picture\n`,
  );
  console.log(`| ${['crop', ...names, 'kB'].join(' | ')} |\n|${' --- |'.repeat(names.length + 2)}`);
  for (const row of await compareCrops(engines, pictures)) console.log(row);
  for (const other of engines.slice(1)) await other.close();
}
await engine.close();
