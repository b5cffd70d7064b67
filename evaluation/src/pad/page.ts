import { percent } from '../measure/figure.ts';
import type { ResultTable } from '../measure/tables.ts';
import { exactInterval } from '../metrics/bounds.ts';
import { rocArea } from '../metrics/scores.ts';
import { rocPlot } from '../plots/roc.ts';
import { isCapture, type PadExample } from './examples.ts';
import type { PadModel, PadScore } from './train.ts';

/** Kinds of attack examples and the bona fide examples that they are compared with. */
const KINDS: readonly (readonly [string, (example: PadExample) => boolean])[] = [
  ['frames', (one) => isCapture(one) && one.collection !== 'films' && one.species !== 'generated'],
  ['crops', ({ source }) => source === 'crop'],
  ['films', ({ collection }) => collection === 'films'],
];

/** ROC areas of dev by fits without the collection of the example, and errors at the default thresholds. */
export function signalTables(examples: readonly PadExample[], model: PadModel): ResultTable[] {
  const rows = Object.entries(curvesOf(model)).map(([name, odds]) => {
    const areas = KINDS.map(([, wanted]) => areaOf(examples, odds, wanted).toFixed(3));
    return [name, ...areas];
  });
  const columns = ['', ...KINDS.map(([name]) => name)];
  return [{ title: 'ROC area on dev, collections left out', columns, rows }, errorTable(examples, model)];
}

/** ROC curves on frames of dev of each regression and of the scores. */
export function signalPlots(examples: readonly PadExample[], model: PadModel): Record<string, string> {
  const curves = Object.entries(curvesOf(model)).map(([name, odds]) => [
    name,
    sides(examples, odds, KINDS[0]![1]),
  ]);
  const title = 'attacks on camera frames, dev, collections left out: ROC area';
  return { 'pad-signals.svg': rocPlot(title, Object.fromEntries(curves)) };
}

function curvesOf({ regressions, own, withNetworks }: PadModel): Record<string, Float64Array> {
  return {
    ...regressions,
    'score without networks': own.leftOut,
    'score with networks': withNetworks.leftOut,
  };
}

function errorTable(examples: readonly PadExample[], { own, withNetworks }: PadModel): ResultTable {
  const line = (title: string, wanted: (example: PadExample) => boolean) => {
    const cells = [own, withNetworks].map((score) => errorsOf(examples, score, wanted));
    return [title, ...cells];
  };
  const species = ['print', 'phone', 'monitor', 'unknown', 'mask'] as const;
  const bonaFide = [
    'frames of pad and spoof',
    'selfies',
    'films',
    'crops of pad',
    'portraits and other pictures',
  ] as const;
  const rows = [
    ...species.map((one) =>
      line(`APCER, ${one}`, (e) => e.species === one && isCapture(e) && e.collection !== 'films'),
    ),
    line('APCER, frames of replayed films', (e) => e.attack && e.collection === 'films'),
    line('APCER, crops', (e) => e.attack && e.source === 'crop'),
    ...bonaFide.map((kind) => line(`BPCER, ${kind}`, (e) => !e.attack && kindOf(e) === kind)),
  ];
  const title = 'Errors on dev at the default threshold, collections left out';
  return { title, columns: ['', 'without networks', 'with minifasnet'], rows };
}

function kindOf({ source, collection }: PadExample): string {
  if (source === 'crop') return 'crops of pad';
  if (source === 'other') return 'portraits and other pictures';
  if (source !== 'frame') return source;
  return collection === 'films' || collection === 'selfies' ? collection : 'frames of pad and spoof';
}

function errorsOf(
  examples: readonly PadExample[],
  { leftOut, threshold }: PadScore,
  wanted: (example: PadExample) => boolean,
): string {
  const limit = Math.log(threshold / (1 - threshold));
  const some = examples.flatMap((example, i) => (wanted(example) ? [{ example, odds: leftOut[i]! }] : []));
  const events = some.filter(({ example, odds }) => odds >= limit !== example.attack).length;
  const { low, high } = exactInterval(events, some.length);
  return `${events} of ${some.length}; ${percent(low)}–${percent(high)} %`;
}

function sides(
  examples: readonly PadExample[],
  odds: Float64Array,
  wanted: (example: PadExample) => boolean,
): [Float64Array, Float64Array] {
  const of = (attack: boolean) =>
    odds.filter((_, i) => wanted(examples[i]!) && examples[i]!.attack === attack);
  return [of(true), of(false)];
}

function areaOf(
  examples: readonly PadExample[],
  odds: Float64Array,
  wanted: (example: PadExample) => boolean,
): number {
  return rocArea(...sides(examples, odds, wanted));
}
