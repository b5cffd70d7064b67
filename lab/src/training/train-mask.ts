import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OpenPack } from '@wajah/engine/training';
import type { Covering } from '../coverings/paint.ts';
import type { Variant } from '../coverings/variants.ts';
import type { Entry, EvalFolder, Task } from '../data/eval-folder.ts';
import {
  applyPlattScaling,
  crossValidate,
  fitPlattScaling,
  type GroupedExample,
  logLoss,
} from '../learn/folds.ts';
import { type LinearModel, trainLogistic } from '../learn/logistic.ts';
import { balancedAccuracy, countAtLeast, countBelow, rocArea } from '../metrics/scores.ts';
import { readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';
import { onePerGroup, type Rows, rowsOf, SOURCES, type Source, variantRows } from './embedder-values.ts';

const outOf = (kind: Source) =>
  fileURLToPath(new URL(`../../../packages/engine/data/mask-${kind}.json`, import.meta.url));
const FOLDS = 5;

const [PAINTED, TIGHT] = [{ tight: false }, { tight: true }];
/** Variants of a bare face. Masks, beards, hands and light differ from picture to picture. */
const BARE: readonly Variant[] = [
  { ...PAINTED, covering: 'mask' },
  { ...PAINTED, covering: 'beard' },
  { ...PAINTED, covering: 'hand' },
  { ...PAINTED, covering: 'shadow' },
  { ...TIGHT, covering: undefined },
  { ...TIGHT, covering: 'mask' },
];
const MASKED: readonly Variant[] = [{ ...TIGHT, covering: undefined }];

interface MaskExample extends Omit<GroupedExample, 'row'> {
  readonly rows: Rows;
  /** Whether the picture belongs to the mask task; results are given on those. */
  readonly own: boolean;
  /** Undefined for the picture as it is. */
  readonly variant: Variant | undefined;
}

/** One example per face: dev pictures of the mask task, unmasked faces of the other tasks, and variants of both. */
async function examples(pack: OpenPack, folder: EvalFolder): Promise<MaskExample[]> {
  const sources: Sources = { pack, folder };
  // With several faces, the label does not say which of them wears the mask.
  const own = await measured(
    sources,
    'mask',
    folder.entries('mask', 'dev'),
    ({ file, label }) => ({ group: `mask/${file}`, positive: label === 'mask', own: true }),
    (_, { label }) => (label === 'mask' ? MASKED : BARE),
    ({ label }, faces) => faces === 1 || label === 'no_mask',
  );
  const bare = { positive: false, own: false };
  const people = onePerGroup(folder.entries('verification', 'dev'), (entry) =>
    entry.identity.startsWith('lfw/') ? entry.identity : entry.file,
  );
  return [
    ...own,
    ...(await measured(
      sources,
      'verification',
      people,
      ({ identity }) => ({ ...bare, group: identity }),
      few,
    )),
    ...(await measured(
      sources,
      'eyes_mouth',
      folder.entries('eyes_mouth', 'dev'),
      ({ file }) => ({ ...bare, group: file.slice(0, 24) }),
      some,
    )),
    ...(await measured(
      sources,
      'pose',
      folder.entries('pose', 'dev'),
      ({ file }) => ({ ...bare, group: file }),
      some,
    )),
  ];
}

/** Two variants of each face, in turn. */
const some = (index: number) => [BARE[index % BARE.length]!, BARE[(index + 3) % BARE.length]!];
/** One variant of every second face. */
const few = (index: number) => (index % 2 === 0 ? [BARE[(index >> 1) % BARE.length]!] : []);

interface Sources {
  readonly pack: OpenPack;
  readonly folder: EvalFolder;
}

type Label = Pick<MaskExample, 'group' | 'positive' | 'own'>;

async function measured<T extends Task>(
  { pack, folder }: Sources,
  task: T,
  entries: readonly Entry<T>[],
  label: (entry: Entry<T>) => Label,
  variants: (index: number, entry: Entry<T>) => readonly Variant[],
  clear: (entry: Entry<T>, faces: number) => boolean = () => true,
): Promise<MaskExample[]> {
  let index = 0;
  const { measured } = await measureFaces(pack, folder, task, entries, async (face, { faces }, entry) => {
    if (!clear(entry, faces.length)) return [];
    const known = label(entry);
    const bytes = folder.bytes(task, entry.file);
    const found: MaskExample[] = [{ ...known, rows: await rowsOf(face), variant: undefined }];
    for (const variant of variants(index++, entry)) {
      const rows = await variantRows(pack, bytes, face, variant, `${task}/${entry.file}`);
      const positive = known.positive || variant.covering === 'mask';
      if (rows) found.push({ ...known, rows, positive, variant });
    }
    return found;
  });
  return measured.flatMap(({ value }) => value);
}

/** Trains, cross-validates and calibrates; results are out of fold. */
function train(examples: readonly MaskExample[], kind: Source) {
  const all = examples.map(({ rows, ...example }) => ({ ...example, row: rows[kind] }));
  const learn = (some: readonly GroupedExample[]) => trainLogistic(some, SOURCES[kind].ridge);
  const odds = crossValidate(all, FOLDS, learn);
  const by = fitPlattScaling(odds, all);
  const judged = all.map((example, i) => ({ example, odds: by.bias + by.weights[0]! * odds[i]! }));
  return {
    model: applyPlattScaling(learn(all), by),
    figures: { folds: FOLDS, ...asTaken(judged), variants: asVaried(judged) },
  };
}

type Judged = readonly {
  readonly example: Omit<MaskExample, 'rows'> & GroupedExample;
  readonly odds: number;
}[];

const oddsWhere = (judged: Judged, keep: (example: Judged[number]['example']) => boolean) =>
  judged.filter(({ example }) => keep(example)).map(({ odds }) => odds);

/** Figures on pictures as they are. */
function asTaken(judged: Judged) {
  const taken = judged.filter(({ example }) => example.variant === undefined);
  const masked = oddsWhere(taken, ({ positive }) => positive);
  const ownBare = oddsWhere(taken, ({ own, positive }) => own && !positive);
  const otherBare = oddsWhere(taken, ({ own }) => !own);
  const loss = logLoss(
    taken.map(({ odds }) => odds),
    taken.map(({ example }) => example),
  );
  return {
    missed: countBelow(masked, 0),
    falseOnMaskTask: countAtLeast(ownBare, 0),
    falseOnOtherFaces: countAtLeast(otherBare, 0),
    balancedAccuracyOnMaskTask: round(balancedAccuracy(masked, ownBare, 0)),
    rocAreaOnMaskTask: round(rocArea(masked, ownBare)),
    logLoss: round(loss),
  };
}

/** Errors on variants. */
function asVaried(judged: Judged) {
  const where = (covering: Covering | undefined, tight: boolean, masked: boolean) =>
    oddsWhere(
      judged,
      ({ variant, positive }) =>
        variant?.covering === covering && variant?.tight === tight && positive === masked,
    );
  return {
    missedPainted: countBelow(where('mask', false, true), 0),
    missedPaintedTight: countBelow(where('mask', true, true), 0),
    missedTight: countBelow(where(undefined, true, true), 0),
    falseOnTight: countAtLeast(where(undefined, true, false), 0),
    falseOnBeards: countAtLeast(where('beard', false, false), 0),
    falseOnHands: countAtLeast(where('hand', false, false), 0),
    falseOnShadows: countAtLeast(where('shadow', false, false), 0),
  };
}

const round = (value: number) => Number(value.toPrecision(5));

function file(kind: Source, model: LinearModel, all: readonly MaskExample[], figures: object): string {
  const provenance = {
    script: 'lab/src/training/train-mask.ts',
    values: SOURCES[kind].values,
    data: 'dev: mask; without masks also verification (one picture an LFW person), eyes_mouth, pose',
    masked: all.filter(({ positive, variant }) => positive && !variant).length,
    bare: all.filter(({ positive, variant }) => !positive && !variant).length,
    variants: all.filter(({ variant }) => variant).length,
    method: `logistic regression with painted and tightly cropped variants (lab/src/coverings), classes weighted alike, L2 ${SOURCES[kind].ridge} on standardised columns; Platt scaling on out-of-fold log odds; variants seeded by their names`,
    dev: figures,
  };
  const weights = `[${Array.from(model.weights, round).join(',')}]`;
  const head = JSON.stringify({ provenance, bias: round(model.bias) }, null, 2);
  return `${head.slice(0, -2)},\n  "weights": ${weights}\n}\n`;
}

const options = readOptions();
const all = await withPack((pack) => examples(pack, options.folder));
for (const kind of Object.keys(SOURCES) as Source[]) {
  const { model, figures } = train(all, kind);
  console.log(kind, figures);
  writeFileSync(outOf(kind), file(kind, model, all, figures));
}
