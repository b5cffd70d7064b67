// Processor time of the most expensive files, as multiples of an ordinary photo of 12 megapixels.
//   npm run bench bombs -- [--rounds 5] [--only REGEXP] [--json results.json]
// Each file is analysed right behind the photo in every round, so that other load of the machine affects both; a ratio is
// the median over the rounds. `packages/engine/test/support/bombs` makes the files.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type AnalyzeRequest, EngineError, openEngineInThread } from '../../../packages/engine/dist/index.js';
import {
  acceptedBombs,
  crowd,
  ordinaryPhoto,
  refusedBombs,
} from '../../dist/fixtures/support/bombs/bombs.js';
import { median } from './speed/quantile.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const only = new RegExp(values.only);
const engine = await openEngineInThread({
  image: { maxBytes: 10 << 20, maxPixels: 50e6 },
});

/** What most calls ask of a picture. */
const request: AnalyzeRequest = { attributes: ['embedding', 'mask'], maxFaces: 1, search: 'fast' };

interface Measured {
  /** Processor time, milliseconds. */
  readonly ms: number;
  /** Faces, or the code of the refusal. */
  readonly answer: string;
}

async function measure(picture: Uint8Array, asked: AnalyzeRequest = request): Promise<Measured> {
  const before = process.cpuUsage();
  const answer = await engine.analyze(picture, asked).then(
    ({ faces, found }) => `${faces.length} of ${found} faces`,
    (error: unknown) => {
      if (error instanceof EngineError) return error.code;
      throw error;
    },
  );
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, answer };
}

interface Bomb {
  readonly name: string;
  readonly make: () => Uint8Array | Promise<Uint8Array>;
  readonly asked?: AnalyzeRequest;
}

const crowds = [16, 100].map((maxFaces) => ({
  name: `a crowd of 100, ${maxFaces} faces measured`,
  make: () => crowd(10, 10),
  asked: { ...request, maxFaces },
}));
const bombs: readonly Bomb[] = [
  ...Object.entries(refusedBombs).map(([name, [, make]]) => ({ name, make })),
  ...Object.entries(acceptedBombs).map(([name, make]) => ({ name, make })),
  ...crowds,
].filter(({ name }) => only.test(name));

const photo = await ordinaryPhoto();
await measure(photo);
console.log(`${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}\n`);
console.log('| file | kB | answer | ms | photo, ms | × |\n| --- | --- | --- | --- | --- | --- |');
const rows = [];
for (const { name, make, asked } of bombs) {
  const bytes = await make();
  const pairs = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push({ photo: await measure(photo), file: await measure(bytes, asked) });
  }
  const row = {
    name,
    bytes: bytes.length,
    answer: pairs[0]!.file.answer,
    ms: median(pairs.map(({ file }) => file.ms)),
    photoMs: median(pairs.map((pair) => pair.photo.ms)),
    ratio: median(pairs.map((pair) => pair.file.ms / pair.photo.ms)),
  };
  rows.push(row);
  const figures = [row.ms.toFixed(0), row.photoMs.toFixed(0), row.ratio.toFixed(1)];
  console.log(`| ${[name, (bytes.length / 1000).toFixed(0), row.answer, ...figures].join(' | ')} |`);
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
await engine.close();
