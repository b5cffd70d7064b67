// Rate of `wajah import` over that of the engine alone, in turns of one run.
//   npm run bench import -- [--data ../shared/eval] [--pictures 400] [--turns 3] [--workers 1]
// Pictures: split `dev` of the verification task, each as a person of its own, repeated if there are fewer. The engine
// analyses the files of a turn with as many at once as the command; the command enrols them in a new gallery of a new
// embedded store, without start and end of its process: from the first picture to the last.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbedder } from '../../packages/engine/dist/index.js';
import { loadConfig } from '../../packages/server/dist/config/config.js';
import { openCore } from '../../packages/server/dist/server/context.js';
import { createLogger } from '../../packages/server/dist/server/logger.js';
import { openFolder } from '../../packages/tools/dist/import/folder-source.js';
import { importIntoStore } from '../../packages/tools/dist/import/import.js';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/eval' },
    pictures: { type: 'string', default: '400' },
    turns: { type: 'string', default: '3' },
    workers: { type: 'string', default: '1' },
  },
});
const [count, turns, workers] = [values.pictures, values.turns, values.workers].map(Number) as [
  number,
  number,
  number,
];
const scratch = mkdtempSync(join(tmpdir(), 'wajah-bench-import-'));
const folder = join(scratch, 'people');
await mkdir(folder);
const files = copyPictures();
const image = { maxBytes: 64 << 20, maxPixels: 100e6 };

// The command lowers its priority; the engine alone gets the same.
setPriority(constants.priority.PRIORITY_LOW);
const ratios: number[] = [];
for (let turn = 0; turn < turns; turn += 1) {
  const alone = await engineRate();
  const imported = await importRate(turn);
  ratios.push(imported.rate / alone);
  console.log(
    `engine ${alone.toFixed(1)} pictures/s, import ${imported.rate.toFixed(1)} (${imported.people} people), ratio ${(imported.rate / alone).toFixed(3)}`,
  );
}
ratios.sort((a, b) => a - b);
console.log(
  `median ratio ${ratios[ratios.length >> 1]?.toFixed(3)} of ${count} pictures, ${workers} workers`,
);
rmSync(scratch, { recursive: true });

function copyPictures(): string[] {
  const source = join(values.data, 'verification');
  const entries = JSON.parse(readFileSync(join(source, 'manifest.json'), 'utf8')) as {
    file: string;
    split: string;
  }[];
  const dev = entries.filter(({ split }) => split === 'dev').map(({ file }) => resolve(source, file));
  return Array.from({ length: count }, (_, i) => {
    const path = join(folder, `p${String(i).padStart(6, '0')}.jpg`);
    copyFileSync(dev[i % dev.length] as string, path);
    return path;
  });
}

async function engineRate(): Promise<number> {
  const options = { cacheDir: '.cache', image, workers, queue: 3 * workers, deadlineMs: 120_000 };
  const embedder = await openEmbedder(options);
  const request = { attributes: ['embedding'], maxFaces: 1, search: 'fast', minFaceSize: 1 } as const;
  const rest = files[Symbol.iterator]();
  const begun = performance.now();
  const work = async () => {
    for (const file of rest) await embedder.analyze(readFileSync(file), request).catch(() => null);
  };
  await Promise.all(Array.from({ length: 3 * workers }, work));
  const rate = (1000 * files.length) / (performance.now() - begun);
  await embedder.close();
  return rate;
}

async function importRate(turn: number): Promise<{ rate: number; people: number }> {
  const config = loadConfig({
    WAJAH_DATA_DIR: join(scratch, `data-${turn}`),
    WAJAH_CACHE_DIR: '.cache',
    WAJAH_ENGINE_WORKERS: String(workers),
  });
  const core = await openCore(config, createLogger('silent'));
  await core.accounts.create({ clientId: 'bench' });
  let begun = 0;
  let ended = 0;
  const rules = { minimumFace: 0, sameFace: true, singleFace: false, quality: false, keepCrops: false };
  const { people } = await importIntoStore(
    config,
    ({ limits }) => openFolder(folder, 1, limits.imageBytes),
    {
      clientId: 'bench',
      galleryId: 'bench',
      create: true,
      replace: false,
      duplicates: 'ignore',
      dryRun: false,
      rules,
    },
    {
      replace: false,
      report: join(scratch, `report-${turn}.jsonl`),
      progress: () => {
        ended = performance.now();
      },
      refusal: () => undefined,
    },
    (work) => {
      begun = performance.now();
      return work(core.admin);
    },
  );
  await core.close();
  return { rate: (1000 * files.length) / (ended - begun), people };
}
