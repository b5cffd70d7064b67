import type { Engine } from '@wajah/engine';
import { allPairs, type Template } from '../calibration/pairs.ts';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { countAtLeast, countBelow, missesAtFmr } from '../metrics/scores.ts';
import { type Figure, share, tally } from './figure.ts';
import { look, type WithFace, withFace } from './look.ts';

/** Verification pictures in which a face was found. */
export type Faces = readonly WithFace<'verification'>[];

const REGIONS = { sea: 'South-East Asian', ea: 'East Asian', sa: 'South Asian' } as const;

/** The verification pictures of a split with all that is measured on them: they are looked at once. */
export async function verificationFaces(engine: Engine, folder: EvalFolder, split: Split): Promise<Faces> {
  const entries = folder.entries('verification', split);
  return withFace(await look(engine, folder, 'verification', entries, ['embedding', 'mask', 'spoof']));
}

/** Colour pictures of both splits: these people have too few pictures to be split. */
export async function colourFaces(engine: Engine, folder: EvalFolder): Promise<Faces> {
  const entries = folder.entries('verification').filter(({ file }) => !file.startsWith('lfw/'));
  return withFace(await look(engine, folder, 'verification', entries, ['embedding']));
}

/** All pairs of LFW, at given false match rates and at the default threshold. */
export function lfwFigures(engine: Engine, all: Faces): Figure[] {
  const faces = all.filter(({ entry }) => entry.file.startsWith('lfw/'));
  const figures = pairFigures(engine, 'all', faces, [1e-2, 1e-3, 1e-4]);
  for (const [region, name] of Object.entries(REGIONS)) {
    const some = faces.filter(({ entry }) => entry.region === region);
    figures.push(...pairFigures(engine, name, some, [1e-2]));
  }
  return figures;
}

function pairFigures(engine: Engine, name: string, faces: Faces, rates: readonly number[]): Figure[] {
  const templates: Template[] = faces.map(({ entry, face }) => ({
    identity: entry.identity,
    embedding: face.embedding!,
  }));
  const { genuine, impostor } = allPairs(templates);
  const strangers = impostor.map((product) => engine.similarityOf(product));
  const same = genuine.map((product) => engine.similarityOf(product));
  return [
    ...rates.map((rate) =>
      share(
        `${name}: not matched where 1 in ${1 / rate} of these strangers is`,
        missesAtFmr(genuine, impostor, rate).misses,
      ),
    ),
    share(`${name}: strangers matched at ${engine.threshold}`, countAtLeast(strangers, engine.threshold)),
    share(`${name}: not matched at ${engine.threshold}`, countBelow(same, engine.threshold)),
  ];
}

/** Wrong decisions on the listed pairs, by subset, at the default threshold. */
export function listedPairFigures(engine: Engine, folder: EvalFolder, split: Split, faces: Faces): Figure[] {
  const byFile = new Map(faces.map((one) => [one.entry.file, one.face.embedding!]));
  const pairs = folder.pairs(split).flatMap((pair) => {
    const a = byFile.get(pair.a);
    const b = byFile.get(pair.b);
    return a && b ? [{ ...pair, matched: engine.similarity(a, b) >= engine.threshold }] : [];
  });
  const subsets = [...new Set(pairs.map((pair) => pair.subset))].sort();
  return subsets.flatMap((subset) => {
    const of = (same: boolean) => pairs.filter((pair) => pair.subset === subset && pair.same === same);
    return [
      share(
        `${subset}: pairs of one person refused`,
        tally(of(true), (pair) => !pair.matched),
      ),
      share(
        `${subset}: pairs of two accepted`,
        tally(of(false), (pair) => pair.matched),
      ),
    ];
  });
}

/** What a service that enrolled the first picture of each person does with the others. */
export function enrolmentFigures(engine: Engine, all: Faces, folder: string): Figure[] {
  const faces = all.filter(({ entry }) => entry.file.startsWith(`${folder}/`));
  const enrolled = new Map<string, Float32Array>();
  const probes = faces.filter(({ entry, face }) => {
    const known = enrolled.has(entry.identity);
    if (!known) enrolled.set(entry.identity, face.embedding!);
    return known;
  });
  const threshold = identificationThreshold(engine.threshold, enrolled.size);
  const answers = probes.map(({ entry, face }) => {
    const ranked = [...enrolled].map(([identity, template]) => ({
      identity,
      similarity: engine.similarity(template, face.embedding!),
    }));
    const best = ranked.reduce((a, b) => (b.similarity > a.similarity ? b : a));
    const own = ranked.find(({ identity }) => identity === entry.identity)!;
    return {
      own: own.similarity,
      right: best.identity === entry.identity,
      named: best.similarity >= threshold,
    };
  });
  return [
    share(
      'verified',
      tally(answers, ({ own }) => own >= engine.threshold),
    ),
    share(
      `identified right among ${enrolled.size} at ${threshold.toFixed(3)}`,
      tally(answers, ({ right, named }) => right && named),
    ),
    share(
      'identified as somebody else',
      tally(answers, ({ right, named }) => !right && named),
    ),
  ];
}

/** Similarity that identification asks for in a gallery of this size, one stranger in 100 being let in. */
function identificationThreshold(verification: number, size: number): number {
  return Math.min(1, Math.max(verification, 0.25 + 0.125 * Math.log10(size / 0.01)));
}
