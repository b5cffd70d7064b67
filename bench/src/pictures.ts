// What looking at a picture costs, by what is asked for, and what kept crops lose, by their size.
//   npm run bench:pictures -- [--data ../shared/eval] [--pictures 40] [--crops 60] [--packs data/packs] [--beside PACK]
//     [--spoof-nets]
// Colour pictures of the split `dev` of the verification task, one face each, spread over the manifest. The first table
// is milliseconds of one thread, medians: by the clock, of processor time, and of processor time more (and times as
// much) than embedding the same picture takes. With --beside an installed pack makes templates, too; with --spoof-nets
// those of the packs folder judge spoofs with the built-in ones.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeImage } from '../../packages/engine/dist/imaging/decode.js';
import { type Engine, openEngineInThread } from '../../packages/engine/dist/index.js';
import { compareCrops } from './pictures/crops.ts';
import { median, timeWays } from './pictures/timing.ts';

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

/** Spread evenly over the manifest. */
function* candidates(): Generator<Uint8Array> {
  const folder = join(values.data, 'verification');
  const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
  const entries = JSON.parse(manifest) as { file: string; split: string }[];
  const files = entries.filter(({ split }) => split === 'dev').map(({ file }) => file);
  // A step that shares no factor with the number of files meets each of them once.
  const step = 7919;
  for (let i = 0; i < files.length; i++) yield readFileSync(join(folder, files[(i * step) % files.length]!));
}

/** Many labelled pictures are grey. */
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
  `pack ${embeddingSpec.pack} ${embeddingSpec.version}${values['spoof-nets'] ? ' with spoof nets' : ''}\n`,
);
if (timed.length > 0) {
  const sizes = timed.map(({ length }) => length / 1000);
  console.log(`${timed.length} pictures, median ${median(sizes).toFixed(0)} kB, one thread; milliseconds\n`);
  console.log('| what | clock | processor | more | × |\n| --- | --- | --- | --- | --- |');
  for (const row of await timeWays(engine, timed)) console.log(row);
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
