import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CohortCurve, ComparisonCurve, EmbeddingSpec } from '@wajah/engine';
import { extractTrainingFeatures, type OpenPack } from '@wajah/engine/training';
import { fitCurve } from '../calibration/curve.ts';
import { fitKind, impostorScores, type KindSample, ofOthers } from '../calibration/kinds.ts';
import { allPairs } from '../calibration/pairs.ts';
import { fitCohort } from '../cohort/fit-cohort.ts';
import { variantOf } from '../coverings/variants.ts';
import type { EvalFolder } from '../data/eval-folder.ts';
import type { LabelledPicture } from '../data/people-folder.ts';
import { type Likeness, strangersIn } from '../data/strangers.ts';
import type { AcquiredSample } from '../people/templates.ts';
import { readOptions, withPack } from '../run/command.ts';
import { withProgress } from '../run/progress.ts';

/** Pictures of a person onto which a mask is painted. */
const MASKED_EACH = 2;
const OUT = new URL('../../../packages/engine/data/', import.meta.url);

type Picture = LabelledPicture & Likeness;
type Face = Pick<KindSample, 'template' | 'ofKind'>;

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
    data: 'dev: verification/lfw (greyscale LFW), most prominent face of each picture; comparison: its regions, portraits, selfies',
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

/** Faces as they are, and behind painted masks: of pictures of real masks nobody knows who is who. */
async function facesOf(pack: OpenPack, pictures: readonly Picture[]): Promise<(Picture & Face)[]> {
  const seen = new Map<string, number>();
  const faces: (Picture & Face)[] = [];
  await withProgress('faces', pictures.length, async (step) => {
    for (const picture of pictures) {
      step();
      const { faces: found } = await extractTrainingFeatures(pack, picture.read(), 'fast');
      if (!found[0]) continue;
      faces.push({ ...picture, template: await found[0].embedding(), ofKind: false });
      const count = (seen.get(picture.identity) ?? 0) + 1;
      seen.set(picture.identity, count);
      if (count > MASKED_EACH) continue;
      const painted = { covering: 'mask', tight: false } as const;
      const masked = await variantOf(picture.read(), found[0].mesh, painted, picture.file);
      const [face] = masked ? (await extractTrainingFeatures(pack, masked, 'fast')).faces : [];
      if (face) faces.push({ ...picture, template: await face.embedding(), ofKind: true });
    }
  });
  return faces;
}

/** The curve of two pictures of unknown people: that of strangers who are alike. */
function comparisonOf(faces: readonly KindSample[]): ComparisonCurve {
  const { kind, score } = fitKind('faces behind masks', faces);
  const { knots } = fitCurve(impostorScores(faces, score, ofOthers));
  return { knots, kinds: [kind] };
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

/** The greyscale LFW of `dev`; people of a region are alike. */
function lfwIn(folder: EvalFolder): Picture[] {
  const entries = folder.entries('verification', 'dev').filter(({ file }) => file.startsWith('lfw/'));
  return entries.map(({ identity, file, region = null }) => ({
    ...{ identity, file, subset: 'lfw', region, group: region },
    read: () => folder.bytes('verification', file),
  }));
}

const options = readOptions();
const text = await withPack(
  async (pack) => {
    const faces = await facesOf(pack, [...lfwIn(options.folder), ...strangersIn(options.folder, 'dev')]);
    const samples = faces.filter(({ subset, ofKind }) => subset === 'lfw' && !ofKind);
    const cohort = await fitCohort(samples);
    if (!cohort) throw new Error('too few people for the curve of normalised scores');
    return file(pack.embeddingSpec, samples, { comparison: comparisonOf(faces), cohort });
  },
  options.packs,
  options.pack,
);
console.log(text);
writeFileSync(options.out ?? fileURLToPath(new URL(`similarity-${options.pack}.json`, OUT)), text);
