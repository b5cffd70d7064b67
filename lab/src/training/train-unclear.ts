import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenPack } from '@wajah/engine/training';
import { z } from 'zod';
import type { Variant } from '../coverings/variants.ts';
import type { Entry, EvalFolder, Task } from '../data/eval-folder.ts';
import { applyPlattScaling, crossValidate, fitPlattScaling, type GroupedExample } from '../learn/folds.ts';
import { trainLogistic } from '../learn/logistic.ts';
import { countAtLeast, countBelow } from '../metrics/scores.ts';
import { readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';
import { onePerGroup, type Rows, rowsOf, SOURCES, type Source, variantRows } from './embedder-values.ts';

const outOf = (source: Source) =>
  fileURLToPath(new URL(`../../../packages/engine/data/unclear-${source}.json`, import.meta.url));
const INSPECTED = fileURLToPath(new URL('../../data/inspected-labels.json', import.meta.url));
const FOLDS = 3;
const STEPS = 200;
/** The features network does not tell squeezed faces: 13 % of the others would count as such. */
const KINDS = {
  map: ['blurred', 'dark', 'covered', 'squeezed'],
  features: ['blurred', 'dark', 'covered'],
} as const;
type Kind = (typeof KINDS)[Source][number];

const [WIDE, TIGHT] = [{ tight: false }, { tight: true }];
const plain = { covering: undefined };
/** Three of them of each face, in turn. */
const VARIANTS: readonly Variant[] = [
  { ...WIDE, covering: 'sunglasses' },
  { ...WIDE, ...plain, damage: 'blurred' },
  { ...WIDE, covering: 'spectacles' },
  { ...WIDE, ...plain, damage: 'dark' },
  { ...TIGHT, covering: 'sunglasses' },
  { ...WIDE, ...plain, damage: 'squeezed' },
  { ...TIGHT, covering: 'spectacles' },
  { ...TIGHT, ...plain },
  { ...WIDE, covering: 'mask' },
  { ...WIDE, covering: 'shadow' },
];
const STEP = 3;

const worn = new Set(
  z
    .object({ eyes: z.object({ covered: z.array(z.string()) }) })
    .parse(JSON.parse(readFileSync(INSPECTED, 'utf8'))).eyes.covered,
);

interface UnclearExample extends Pick<GroupedExample, 'group'> {
  readonly rows: Rows;
  readonly kind: Kind | undefined;
  readonly varied: boolean;
}

/** Real faces of `dev`, and variants of them. */
async function examples(pack: OpenPack, folder: EvalFolder): Promise<UnclearExample[]> {
  const people = onePerGroup(folder.entries('verification', 'dev'), ({ identity, file }) =>
    worn.has(`verification/${file}`) || !identity.startsWith('lfw/') ? file : identity,
  );
  const found = [await measured(pack, folder, 'verification', people)];
  for (const task of ['mask', 'eyes_mouth', 'pose'] as const) {
    found.push(await measured(pack, folder, task, folder.entries(task, 'dev')));
  }
  for (const task of ['pad', 'pad2'] as const) {
    const real = folder.entries(task, 'dev').filter(({ label }) => label === 'real');
    found.push(await measured(pack, folder, task, real));
  }
  return found.flat();
}

async function measured<T extends Task>(
  pack: OpenPack,
  folder: EvalFolder,
  task: T,
  entries: readonly Entry<T>[],
): Promise<UnclearExample[]> {
  let index = 0;
  const { measured } = await measureFaces(pack, folder, task, entries, async (face, _, { file }) => {
    const name = `${task}/${file}`;
    const bytes = folder.bytes(task, file);
    const wears = worn.has(name) ? 'covered' : undefined;
    const found: UnclearExample[] = [{ group: name, rows: await rowsOf(face), kind: wears, varied: false }];
    for (let i = 0; i < STEP; i++) {
      const variant = VARIANTS[index++ % VARIANTS.length]!;
      const rows = await variantRows(pack, bytes, face, variant, name);
      const kind = variant.damage ?? (variant.covering === 'sunglasses' ? 'covered' : wears);
      if (rows) found.push({ group: name, rows, kind, varied: true });
    }
    return found;
  });
  return measured.flatMap(({ value }) => value);
}

/** Trains and calibrates; the figures are out of fold. */
function train(all: readonly UnclearExample[], source: Source, of: Kind) {
  const rows = all.map(({ rows, kind, group }) => ({ group, row: rows[source], positive: kind === of }));
  const learn = (some: readonly GroupedExample[]) => trainLogistic(some, SOURCES[source].ridge, STEPS);
  const odds = crossValidate(rows, FOLDS, learn);
  const by = fitPlattScaling(odds, rows);
  const calibrated = Array.from(odds, (one) => by.bias + by.weights[0]! * one);
  const where = (keep: (example: UnclearExample) => boolean) => calibrated.filter((_, i) => keep(all[i]!));
  return {
    model: applyPlattScaling(learn(rows), by),
    figures: {
      missed: countBelow(
        where(({ kind }) => kind === of),
        0,
      ),
      falseAsTaken: countAtLeast(
        where(({ kind, varied }) => kind !== of && !varied),
        0,
      ),
      falseOnVariants: countAtLeast(
        where(({ kind, varied }) => kind !== of && varied),
        0,
      ),
    },
  };
}

const round = (value: number) => Number(value.toPrecision(5));

function file(source: Source, all: readonly UnclearExample[]): string {
  const trained = KINDS[source].map((of) => ({ of, ...train(all, source, of) }));
  const provenance = {
    script: 'lab/src/training/train-unclear.ts',
    values: SOURCES[source].values,
    data: 'dev: verification (one picture an LFW person), mask, eyes_mouth, pose; bona fide pictures of pad and pad2',
    taken: all.filter(({ varied }) => !varied).length,
    variants: all.filter(({ varied }) => varied).length,
    method: `logistic regressions with painted and damaged variants (lab/src/coverings), classes weighted alike, L2 ${SOURCES[source].ridge} on standardised columns, ${STEPS} steps; Platt scaling on out-of-fold log odds; variants seeded by their names`,
    folds: FOLDS,
    dev: Object.fromEntries(trained.map(({ of, figures }) => [of, figures])),
  };
  console.log(source, provenance.dev);
  const kinds = trained.map(({ of, model }) => {
    const weights = `[${Array.from(model.weights, round).join(',')}]`;
    return `  "${of}": { "bias": ${round(model.bias)}, "weights": ${weights} }`;
  });
  const head = JSON.stringify({ provenance }, null, 2);
  return `${head.slice(0, -2)},\n${kinds.join(',\n')}\n}\n`;
}

const options = readOptions();
const all = await withPack((pack) => examples(pack, options.folder));
for (const source of Object.keys(SOURCES) as Source[]) writeFileSync(outOf(source), file(source, all));
