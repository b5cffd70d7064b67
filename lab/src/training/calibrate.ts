import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CohortCurve, EmbeddingSpec } from '@wajah/engine';
import { conservativeKnots } from '../calibration/conservative.ts';
import { fitCurve } from '../calibration/curve.ts';
import { allPairs } from '../calibration/pairs.ts';
import { fitCohort } from '../cohort/fit-cohort.ts';
import { regionsOf } from '../people/subgroups.ts';
import type { AcquiredSample } from '../people/templates.ts';
import { readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';

const OUT = new URL('../../../packages/engine/data/', import.meta.url);

/** The calibration curve in the engine's format, with its evidence. */
function file(contract: EmbeddingSpec, samples: readonly AcquiredSample[], cohort: CohortCurve): string {
  const { genuine, impostor } = pairsOf(samples);
  const curve = fitCurve(impostor);
  const regions = regionsOf(samples).map(({ includes }) => pairsOf(samples.filter(includes)).impostor);
  const evidence = {
    script: 'lab/src/training/calibrate.ts',
    embedding: contract,
    data: 'dev: verification/lfw (greyscale LFW), most prominent face of each picture',
    pictures: samples.length,
    identities: new Set(samples.map(({ identity }) => identity)).size,
    impostorPairs: impostor.length,
    genuinePairs: genuine.length,
    measuredTo: curve.evidenceEnd,
    beyond: `extrapolated: the false match rate falls by ${curve.tailSlope} decades per 1.0 of inner product, exponential fit to the highest 0.1 % of the pairs`,
  };
  const head = JSON.stringify({ pack: contract.pack, evidence }, null, 2);
  const { knots, similar, ...prior } = cohort;
  const parts = [
    knotsText('knots', curve.knots, 2),
    knotsText('comparison', conservativeKnots(curve.knots, regions), 2),
    `  "cohort": ${JSON.stringify(prior, null, 4).slice(0, -2)},\n${[knotsText('knots', knots, 4), ...similarText(similar)].join(',\n')}\n  }`,
  ];
  return `${head.slice(0, -2)},\n${parts.join(',\n')}\n}\n`;
}

function pairsOf(samples: readonly AcquiredSample[]) {
  return allPairs(samples.map(({ identity, template }) => ({ identity, embedding: template })));
}

function knotsText(name: string, knots: CohortCurve['knots'], indent: number): string {
  const space = ' '.repeat(indent);
  const lines = knots.map((knot) => `${space}  [${knot.join(', ')}]`).join(',\n');
  return `${space}"${name}": [\n${lines}\n${space}]`;
}

function similarText(similar: CohortCurve['similar']): string[] {
  if (!similar) return [];
  return [`    "similar": {\n      "mean": ${similar.mean},\n${knotsText('knots', similar.knots, 6)}\n    }`];
}

const options = readOptions();
const text = await withPack(
  options.cache,
  async (pack) => {
    const entries = options.folder
      .entries('verification', 'dev')
      .filter((entry) => entry.file.startsWith('lfw/'));
    const { measured } = await measureFaces(pack, options.folder, 'verification', entries, (face) =>
      face.embedding(),
    );
    const samples = measured.map(({ entry, value }) => ({
      identity: entry.identity,
      file: entry.file,
      subset: 'lfw',
      region: entry.region ?? null,
      template: value,
    }));
    const cohort = await fitCohort(samples);
    if (!cohort) throw new Error('too few people for the curve of normalised scores');
    return file(pack.embeddingSpec, samples, cohort);
  },
  options.packs,
  options.pack,
);
console.log(text);
writeFileSync(options.out ?? fileURLToPath(new URL(`similarity-${options.pack}.json`, OUT)), text);
