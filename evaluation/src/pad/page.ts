import { percent } from '../measure/figure.ts';
import { exactInterval } from '../metrics/bounds.ts';
import { type Count, rocArea } from '../metrics/scores.ts';
import { rocPlot } from '../plots/roc.ts';
import type { PadExample } from './examples.ts';
import { figuresOf, sides } from './figures.ts';
import type { PadModel } from './fusion.ts';
import type { SignalModel } from './signal-models.ts';

/** Examples and the model trained on them. */
export interface Trained {
  readonly rows: readonly PadExample[];
  readonly model: PadModel;
}

/** Tables of the results of each signal and of the joined ones; cross-validated, whole collections held out. */
export function signalsPage(dev: Trained, both: Trained): string {
  return [signalTable(dev, both), passingTable(dev, both)].join('\n\n');
}

/** ROC curves of each signal and of their fusion. */
export function signalPlots({ rows, model }: Trained): Record<string, string> {
  const title = 'print and replay attacks, dev and test, collections held out: ROC area';
  const single = model.signals.map(({ signal, outOfFold }) => [signal.name, sides(rows, outOfFold)]);
  const { fusion, fusionWithNetworks } = model;
  const joined = {
    fusion: sides(rows, fusion.outOfFold),
    'fusion with nets': sides(rows, fusionWithNetworks.outOfFold),
  };
  return { 'pad-signals.svg': rocPlot(title, { ...Object.fromEntries(single), ...joined }) };
}

function signalTable(dev: Trained, both: Trained): string {
  const lines = dev.model.signals.map(({ signal: { name } }) => {
    const change = name === 'nets' ? 'with' : 'without';
    const cells = [dev, both].flatMap((one) => [
      areaOf(one, outOfFold(one.model.signals, name)),
      areaOf(
        one,
        sumWhere(one, (other) => (other === name ? change === 'with' : other !== 'nets')),
      ),
    ]);
    const used = name === 'nets' ? 'where installed' : 'yes';
    return `| ${name} | ${used} | ${cells[0]} | ${cells[2]} | ${cells[1]} ${change} | ${cells[3]} ${change} |`;
  });
  const sums = (name: string, of: 'fusion' | 'fusionWithNetworks') => {
    const cells = [dev, both].map((one) => areaOf(one, one.model[of].outOfFold));
    const plain = [dev, both].map((one) => areaOf(one, one.model[of].plainSum));
    return `| **${name}** | | **${cells[0]}** | **${cells[1]}** | ${plain[0]} | ${plain[1]} |`;
  };
  return [
    '| signal | in use | ROC area, `dev` | ROC area, `dev` and `test` | ROC area of the plain sum, `dev` | ROC area of the plain sum, `dev` and `test` |',
    '|---|---|---|---|---|---|',
    ...lines,
    sums('fusion', 'fusion'),
    sums('fusion with `minifasnet`', 'fusionWithNetworks'),
  ].join('\n');
}

function passingTable(dev: Trained, both: Trained): string {
  const columns = [dev, both].flatMap(({ rows, model }) => {
    const { joined, joinedWithNets } = figuresOf(rows, model);
    return [joined, joinedWithNets];
  });
  const line = (what: string, key: keyof (typeof columns)[number]) =>
    `| ${what} | ${columns.map((column) => share(column[key])).join(' | ')} |`;
  return [
    '| metric at the threshold with a BPCER of 5 %; counts and 95 % interval | `dev` | `dev`, with `minifasnet` | `dev` and `test` | `dev` and `test`, with `minifasnet` |',
    '|---|---|---|---|---|',
    line('APCER, print and replay attacks', 'recapturesPassed'),
    line('APCER, masks, worn or held', 'masksPassed'),
    line('APCER, generated face (no recapture)', 'generatedPassed'),
    line('BPCER, bona fide of `spoof`', 'ownRealRefused'),
    line('BPCER, drivers, passers-by, turned heads (`dev`)', 'otherRealRefused'),
    line('APCER, simulated recaptures', 'simulatedPassed'),
  ].join('\n');
}

function share({ events, trials }: Count): string {
  const { low, high } = exactInterval(events, trials);
  return `${events} of ${trials}; ${percent(low)}–${percent(high)} %`;
}

function areaOf({ rows }: Trained, odds: Float64Array): string {
  return rocArea(...sides(rows, odds)).toFixed(3);
}

function outOfFold(signals: readonly SignalModel[], name: string): Float64Array {
  return signals.find(({ signal }) => signal.name === name)!.outOfFold;
}

/** Sum of the log odds of some signals. */
function sumWhere({ rows, model }: Trained, wanted: (name: string) => boolean): Float64Array {
  const some = model.signals.filter(({ signal }) => wanted(signal.name));
  return Float64Array.from(rows, (_, i) => some.reduce((sum, one) => sum + one.outOfFold[i]!, 0));
}
