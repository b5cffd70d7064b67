import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CohortCurve, EmbeddingSpec } from '@wajah/engine';
import { fitCurve } from '../calibration/curve.ts';
import { allPairs, type Template } from '../calibration/pairs.ts';
import { fitCohort } from '../cohort/fit-cohort.ts';
import { readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';

const OUT = fileURLToPath(new URL('../../../packages/engine/data/similarity-builtin.json', import.meta.url));

/** The calibration curve in the engine's format, with its evidence. */
function file(contract: EmbeddingSpec, templates: readonly Template[], cohort: CohortCurve): string {
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
  const head = JSON.stringify({ pack: contract.pack, evidence }, null, 2);
  const { knots, ...prior } = cohort;
  const normalised = `${JSON.stringify(prior, null, 4).slice(0, -2)},\n${knotsText(knots, 4)}\n  }`;
  return `${head.slice(0, -2)},\n${knotsText(curve.knots, 2)},\n  "cohort": ${normalised}\n}\n`;
}

function knotsText(knots: CohortCurve['knots'], indent: number): string {
  const space = ' '.repeat(indent);
  const lines = knots.map((knot) => `${space}  [${knot.join(', ')}]`).join(',\n');
  return `${space}"knots": [\n${lines}\n${space}]`;
}

const options = readOptions();
const text = await withPack(options.cache, async (pack) => {
  const entries = options.folder
    .entries('verification', 'dev')
    .filter((entry) => entry.file.startsWith('lfw/'));
  const { measured } = await measureFaces(pack, options.folder, 'verification', entries, (face) =>
    face.embedding(),
  );
  const cohort = await fitCohort(
    measured.map(({ entry, value }) => ({
      ...{ identity: entry.identity, file: entry.file, subset: 'lfw', region: null },
      template: value,
    })),
  );
  if (!cohort) throw new Error('too few people for the curve of normalised scores');
  const templates = measured.map(({ entry, value }) => ({ identity: entry.identity, embedding: value }));
  return file(pack.embeddingSpec, templates, cohort);
});
console.log(text);
writeFileSync(options.out ?? OUT, text);
