import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { applyRecipe, type OpenPack, readRecipe, type TemplateRecipe } from '@wajah/engine/training';
import { allPairs } from '../calibration/pairs.ts';
import type { EvalFolder } from '../data/eval-folder.ts';
import { assignFolds } from '../learn/folds.ts';
import { fnmrAtFmr, rate } from '../metrics/scores.ts';
import { readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';
import { type Answers, fitRecipe, PLAN, SECOND_PLAN } from '../template/recipe.ts';

const DATA = new URL('../../../packages/engine/data/', import.meta.url);
const BUILTIN = fileURLToPath(new URL('template-builtin.json', DATA));
const FOLDS = 2;

/** Vectors of each dev picture; results are given on those of LFW. */
async function answersOf(pack: OpenPack, folder: EvalFolder): Promise<(Answers & { lfw: boolean })[]> {
  const entries = folder.entries('verification', 'dev');
  const { measured } = await measureFaces(pack, folder, 'verification', entries, async (face) => ({
    ...(await face.vectors()),
  }));
  return measured.map(({ entry, value }) => ({
    identity: entry.identity,
    region: entry.region ?? undefined,
    lfw: entry.file.startsWith('lfw/'),
    ...value,
  }));
}

/** Mean FNMR over folds, on the pairs within each fold, with the recipe fitted to the other people. */
function crossValidated(
  faces: readonly (Answers & { lfw: boolean })[],
  fit: (faces: readonly Answers[]) => TemplateRecipe,
) {
  const fold = assignFolds(
    faces.map(({ identity }) => identity),
    FOLDS,
  );
  const figures = Array.from({ length: FOLDS }, (_, held) => {
    const recipe = fit(faces.filter(({ identity }) => fold.get(identity) !== held));
    const own = faces.filter(({ identity, lfw }) => lfw && fold.get(identity) === held);
    const pairs = allPairs(
      own.map((face) => ({ identity: face.identity, embedding: applyRecipe(recipe, face) })),
    );
    return {
      pairs,
      misses: [1e-2, 1e-3, 1e-4].map((fmr) =>
        rate(fnmrAtFmr(pairs.genuine, pairs.impostor, fmr).falseNonMatches),
      ),
    };
  });
  const sum = (count: (figure: (typeof figures)[number]) => number) =>
    figures.reduce((total, figure) => total + count(figure), 0);
  return {
    folds: FOLDS,
    genuinePairs: sum(({ pairs }) => pairs.genuine.length),
    impostorPairs: sum(({ pairs }) => pairs.impostor.length),
    falseNonMatchAt1In100And1000And10000: [0, 1, 2].map(
      (i) => Math.round((sum(({ misses }) => misses[i]!) / FOLDS) * 1e4) / 1e4,
    ),
  };
}

function file(recipe: TemplateRecipe, faces: readonly Answers[], plan: object, dev: object): string {
  const provenance = {
    script: 'lab/src/training/fit-template.ts',
    data: 'dev: verification, most prominent face of each picture',
    pictures: faces.length,
    identities: new Set(faces.map(({ identity }) => identity)).size,
    plan,
    method:
      'mean and covariance of unit-length vectors, faces of labelled regions counted three times; no randomness; the part of the descriptor is that of version 3',
    dev,
  };
  const parts = recipe.map(({ of, weight, centre, matrix }) => ({
    of,
    weight,
    centre: base64(centre),
    matrix: base64(matrix),
  }));
  return `${JSON.stringify({ provenance, parts }, null, 2)}\n`;
}

const base64 = (values: Float32Array) =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');

const options = readOptions();
const { folder, packs, pack: id, out = fileURLToPath(new URL(`template-${id}.json`, DATA)) } = options;
const faces = await withPack((pack) => answersOf(pack, folder), packs, id);
const shipped = await readRecipe(BUILTIN);
if (id === 'builtin') {
  const dev = crossValidated(faces, fitRecipe);
  console.log(dev);
  // Templates of version 3 keep their descriptor's part when they are upgraded, so it stays as it was fitted then.
  const [, pooled] = fitRecipe(faces);
  writeFileSync(out, file([shipped[0]!, pooled!], faces, PLAN, dev));
} else {
  const added = (some: readonly Answers[]) => fitRecipe(some, SECOND_PLAN);
  const dev = crossValidated(faces, (some) => [...shipped, ...added(some)]);
  console.log(dev);
  writeFileSync(out, file(added(faces), faces, SECOND_PLAN, dev));
}
