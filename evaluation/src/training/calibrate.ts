import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EmbeddingSpec } from '@wajah/engine';
import { fitCurve } from '../calibration/curve.ts';
import { allPairs, type Template } from '../calibration/pairs.ts';
import { readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';

const OUT = fileURLToPath(new URL('../../../packages/engine/data/similarity-builtin.json', import.meta.url));

/** The calibration curve in the engine's format, with its evidence. */
function file(contract: EmbeddingSpec, templates: readonly Template[]): string {
  const { genuine, impostor } = allPairs(templates);
  const curve = fitCurve(impostor);
  const evidence = {
    script: 'evaluation/src/training/calibrate.ts',
    embedding: contract,
    data: 'dev: verification/lfw (greyscale LFW), most prominent face of each picture',
    pictures: templates.length,
    identities: new Set(templates.map((template) => template.identity)).size,
    impostorPairs: impostor.length,
    genuinePairs: genuine.length,
    measuredTo: curve.evidenceEnd,
    beyond: `extrapolated: the false match rate falls by ${curve.tailSlope} decades per 1.0 of inner product, exponential fit to the highest 0.1 % of the pairs`,
  };
  const knots = curve.knots.map((knot) => `    [${knot.join(', ')}]`).join(',\n');
  const head = JSON.stringify({ pack: contract.pack, evidence }, null, 2);
  return `${head.slice(0, -2)},\n  "knots": [\n${knots}\n  ]\n}\n`;
}

const options = readOptions();
const text = await withPack(options.cache, async (pack) => {
  const entries = options.folder
    .entries('verification', 'dev')
    .filter((entry) => entry.file.startsWith('lfw/'));
  const { measured } = await measureFaces(pack, options.folder, 'verification', entries, (face) =>
    face.embedding(),
  );
  return file(
    pack.embeddingSpec,
    measured.map(({ entry, value }) => ({ identity: entry.identity, embedding: value })),
  );
});
console.log(text);
writeFileSync(options.out ?? OUT, text);
