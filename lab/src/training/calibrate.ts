import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CohortCurve, type ComparisonCurve, type EmbeddingSpec, innerProduct } from '@wajah/engine';
import { extractTrainingFeatures, kindShift, type OpenPack } from '@wajah/engine/training';
import { fitCurve } from '../calibration/curve.ts';
import { fitKind, impostorScores, type KindSample, ofEverybody, products } from '../calibration/kinds.ts';
import { allPairs } from '../calibration/pairs.ts';
import { fitCohort } from '../cohort/fit-cohort.ts';
import { variantOf } from '../coverings/variants.ts';
import type { Entry, EvalFolder } from '../data/eval-folder.ts';
import type { AcquiredSample } from '../people/templates.ts';
import { readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';

/** Pictures of a person onto which a mask is painted. */
const MASKED_EACH = 2;
const OUT = new URL('../../../packages/engine/data/', import.meta.url);

type Entries = readonly Entry<'verification'>[];

/** The calibration curve in the engine's format, with its evidence. */
function file(
  contract: EmbeddingSpec,
  samples: readonly AcquiredSample[],
  { comparison, cohort }: { readonly comparison: ComparisonCurve; readonly cohort: CohortCurve },
): string {
  const { genuine, impostor } = allPairs(
    samples.map(({ identity, template }) => ({ identity, embedding: template })),
  );
  const curve = fitCurve(impostor);
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
    comparisonText(comparison),
    `  "cohort": ${JSON.stringify(prior, null, 4).slice(0, -2)},\n${[knotsText('knots', knots, 4), ...similarText(similar)].join(',\n')}\n  }`,
  ];
  return `${head.slice(0, -2)},\n${parts.join(',\n')}\n}\n`;
}

/** Faces of the same people behind painted masks: of pictures of real masks nobody knows who is who. */
async function maskedFaces(pack: OpenPack, folder: EvalFolder, entries: Entries): Promise<KindSample[]> {
  const seen = new Map<string, number>();
  const few = entries.filter(({ identity }) => {
    seen.set(identity, (seen.get(identity) ?? 0) + 1);
    return seen.get(identity)! <= MASKED_EACH;
  });
  const { measured } = await measureFaces(
    pack,
    folder,
    'verification',
    few,
    async ({ mesh }, _, { file }) => {
      const bytes = folder.bytes('verification', file);
      const masked = await variantOf(bytes, mesh, { covering: 'mask', tight: false }, file);
      const [face] = masked ? (await extractTrainingFeatures(pack, masked, 'fast')).faces : [];
      return face?.embedding() ?? null;
    },
  );
  return measured.flatMap(({ entry: { identity }, value: template }) =>
    template ? [{ identity, template, group: 'masked', everybody: false }] : [],
  );
}

/** The curve of two pictures of unknown people. */
function comparisonOf(samples: readonly AcquiredSample[], masked: readonly KindSample[]): ComparisonCurve {
  const bare = samples.map(({ identity, template, region: group }) => {
    return { identity, template, group, everybody: true };
  });
  const asian = fitKind('people of East, South-East and South Asia', bare, products(bare));
  const all: KindSample[] = [...bare.map((sample) => ({ ...sample, group: null })), ...masked];
  const behind = fitKind('faces behind masks', all, (i, j) => {
    if (i < bare.length && j < bare.length) return asian.score(i, j);
    const [a, b] = [all[i]!.template, all[j]!.template];
    return innerProduct(a, b) - kindShift([asian.kind], a, b);
  });
  const { knots } = fitCurve(impostorScores(all, behind.score, ofEverybody));
  return { knots, kinds: [asian.kind, behind.kind] };
}

function knotsText(name: string, knots: CohortCurve['knots'], indent: number): string {
  const space = ' '.repeat(indent);
  const lines = knots.map((knot) => `${space}  [${knot.join(', ')}]`).join(',\n');
  return `${space}"${name}": [\n${lines}\n${space}]`;
}

function comparisonText({ knots, kinds }: ComparisonCurve): string {
  const lines = kinds.map((kind) => `      ${JSON.stringify(kind)}`).join(',\n');
  return `  "comparison": {\n${knotsText('knots', knots, 4)},\n    "kinds": [\n${lines}\n    ]\n  }`;
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
    const comparison = comparisonOf(samples, await maskedFaces(pack, options.folder, entries));
    return file(pack.embeddingSpec, samples, { comparison, cohort });
  },
  options.packs,
  options.pack,
);
console.log(text);
writeFileSync(options.out ?? fileURLToPath(new URL(`similarity-${options.pack}.json`, OUT)), text);
