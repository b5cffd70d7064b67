import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenPack, TrainingFace } from '@wajah/engine/training';
import { z } from 'zod';
import type { EvalFolder, Task } from '../data/eval-folder.ts';
import { crossValidate, type GroupedExample, logLoss } from '../learn/folds.ts';
import { type LinearModel, trainLogistic } from '../learn/logistic.ts';
import { readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';

const OUT = fileURLToPath(new URL('../../../packages/engine/data/states.json', import.meta.url));
const INSPECTED = fileURLToPath(new URL('../../data/inspected-labels.json', import.meta.url));

const FOLDS = 40;
const STEPS = 5000;
/** Chosen by the out-of-fold loss. */
const RIDGE = { mouth: 0.0001, eyes: 0.0007 } as const;
/** The closed eye of each wink in the dev pictures, labelled by eye. */
const WINKING = 'left';

const sides = z.enum(['left', 'right']);
const names = z.array(z.string());
const inspected = z
  .object({
    mouth: z.object({ open: names, closed: names }),
    eyes: z.object({
      open: z.array(z.tuple([z.string(), sides])),
      closed: z.array(z.tuple([z.string(), sides])),
    }),
  })
  .parse(JSON.parse(readFileSync(INSPECTED, 'utf8')));

/**
 * What a difference between the eyes adds to the log odds of one open and one closed eye, per openness beyond `from`; less
 * beyond a yaw of `within` degrees. Chosen on composed winks, and on faces of dev that are not to change.
 */
const DIFFERENCE = { weight: 45, from: 0.03, within: 20 } as const;
/** Openness of a winking person's open eye over that of the same eye otherwise: 0.70 to 0.89 in the four winks of dev. */
const NARROWED = [0.65, 0.75, 0.85, 0.95] as const;

interface Measured {
  /** Task and file. */
  readonly name: string;
  readonly mouth: readonly [openness: number, contrast: number];
  readonly eyes: { readonly left: number; readonly right: number };
}

async function mouthOf(face: TrainingFace): Promise<[number, number]> {
  const { openness, contrast } = await face.mouth();
  return [openness, contrast];
}

async function measured(pack: OpenPack, folder: EvalFolder, task: Task, files: ReadonlySet<string>) {
  const entries = folder.entries(task, 'dev').filter(({ file }) => files.has(file));
  const { measured } = await measureFaces(pack, folder, task, entries, async (face) => ({
    mouth: await mouthOf(face),
    eyes: await face.openness(),
  }));
  return measured.map(({ entry, value }): Measured => ({ name: `${task}/${entry.file}`, ...value }));
}

/** Pictures of the task, and labelled ones of other tasks. */
async function everything(pack: OpenPack, folder: EvalFolder): Promise<Map<string, Measured>> {
  const { eyes, mouth } = inspected;
  const extra = [...[...eyes.open, ...eyes.closed].map(([name]) => name), ...mouth.open, ...mouth.closed];
  const own = folder.entries('eyes_mouth', 'dev').map(({ file }) => `eyes_mouth/${file}`);
  const all = new Map<string, Measured>();
  for (const task of ['eyes_mouth', 'pose', 'mask', 'verification', 'spoof', 'crowd'] as const) {
    const files = [...own, ...extra].filter((name) => name.startsWith(`${task}/`));
    const set = new Set(files.map((name) => name.slice(task.length + 1)));
    for (const one of await measured(pack, folder, task, set)) all.set(one.name, one);
  }
  return all;
}

function mouths(folder: EvalFolder, all: ReadonlyMap<string, Measured>): GroupedExample[] {
  const example = (name: string, positive: boolean): GroupedExample[] => {
    const row = all.get(name)?.mouth;
    return row === undefined ? [] : [{ row, positive, group: name }];
  };
  const labelled = folder
    .entries('eyes_mouth', 'dev')
    .flatMap(({ file, label: { mouth } }) =>
      mouth === 'any' ? [] : example(`eyes_mouth/${file}`, mouth === 'open'),
    );
  const extra = (['open', 'closed'] as const).flatMap((state) =>
    inspected.mouth[state].flatMap((name) => example(name, state === 'open')),
  );
  return [...labelled, ...extra];
}

function eyes(folder: EvalFolder, all: ReadonlyMap<string, Measured>): GroupedExample[] {
  const example = (name: string, side: 'left' | 'right', positive: boolean): GroupedExample[] => {
    const value = all.get(name)?.eyes[side];
    return value === undefined ? [] : [{ row: [value], positive, group: name }];
  };
  const labelled = folder.entries('eyes_mouth', 'dev').flatMap(({ file, label }) => {
    if (label.eyes === 'any') return [];
    const open = (side: 'left' | 'right') =>
      label.eyes === 'open' || (label.eyes === 'one_closed' && side !== WINKING);
    return sides.options.flatMap((side) => example(`eyes_mouth/${file}`, side, open(side)));
  });
  const extra = (['open', 'closed'] as const).flatMap((state) =>
    inspected.eyes[state].flatMap(([name, side]) => example(name, side, state === 'open')),
  );
  return [...labelled, ...extra];
}

function fit(examples: readonly GroupedExample[], ridge: number) {
  const train = (some: readonly GroupedExample[]) => trainLogistic(some, ridge, STEPS);
  const odds = crossValidate(examples, FOLDS, train);
  const evidence = {
    open: examples.filter(({ positive }) => positive).length,
    closed: examples.filter(({ positive }) => !positive).length,
    wrongOutOfFold: examples.filter(({ positive }, i) => odds[i]! > 0 !== positive).length,
    logLossOutOfFold: round(logLoss(odds, examples)),
  };
  return { model: train(examples), evidence };
}

/** Probability of open = sigmoid(slope × (value − middle) + what the difference from the other eye adds). */
function curve({ weights, bias }: LinearModel) {
  const slope = weights[0]!;
  return { middle: round(-bias / slope), slope: round(slope), difference: DIFFERENCE };
}

/** Winks of frontal faces composed of every open eye, narrowed, and every closed one: those with both eyes right. */
function composedWinks(examples: readonly GroupedExample[], curve: Curve, difference: Difference) {
  const open = examples
    .filter(({ positive }) => positive)
    .flatMap(({ row }) => NARROWED.map((by) => by * row[0]!));
  const closed = examples.filter(({ positive }) => !positive).map(({ row }) => row[0]!);
  const right = (one: number, other: number) => {
    const wink = difference.weight * Math.max(0, one - other - difference.from);
    return curve.slope * (one - curve.middle) + wink > 0 && curve.slope * (other - curve.middle) - wink < 0;
  };
  const pairs = open.flatMap((one) =>
    closed.filter((other) => other < one).map((other) => right(one, other)),
  );
  return { pairs: pairs.length, right: pairs.filter(Boolean).length };
}

/** Probability of open = sigmoid(weights · values + bias). */
function plane({ weights, bias }: LinearModel) {
  return { openness: round(weights[0]!), contrast: round(weights[1]!), bias: round(bias) };
}

type Curve = Readonly<Record<'middle' | 'slope', number>>;
type Difference = Readonly<Record<'weight' | 'from', number>>;

const round = (value: number) => Number(value.toPrecision(4));

const { folder, out = OUT } = readOptions();
const all = await withPack((pack) => everything(pack, folder));
const mouth = fit(mouths(folder, all), RIDGE.mouth);
const seen = eyes(folder, all);
const eye = fit(seen, RIDGE.eyes);
const eyeCurve = curve(eye.model);
const source = {
  script: 'lab/src/training/train-states.ts',
  data: 'dev: eyes_mouth, and faces of other tasks that were inspected by eye where a measure was in doubt (lab/data/inspected-labels.json)',
  mouth: mouth.evidence,
  eyes: {
    ...eye.evidence,
    composedWinks: composedWinks(seen, eyeCurve, DIFFERENCE),
    composedWinksWithoutDifference: composedWinks(seen, eyeCurve, { ...DIFFERENCE, weight: 0 }),
  },
};
const file = {
  source,
  eyes: eyeCurve,
  mouth: plane(mouth.model),
};
console.log(JSON.stringify(file, null, 1));
writeFileSync(out, `${JSON.stringify(file, null, 2)}\n`);
