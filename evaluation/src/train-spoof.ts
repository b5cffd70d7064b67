import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sigmoid } from './learn/logistic.ts';
import { rocPlot } from './plots/roc.ts';
import { writeAll } from './plots/write.ts';
import { readOptions, withPack } from './run/command.ts';
import {
  isSimulated,
  otherRows,
  portraitRows,
  type SpoofRow,
  simulatedRows,
  spoofRows,
} from './spoof/examples.ts';
import { curvesOf, figuresOf, thresholdOf } from './spoof/figures.ts';
import { provenance, spoofFile } from './spoof/file.ts';
import { type SpoofModel, trainSpoof } from './spoof/fusion.ts';

const OUT = fileURLToPath(new URL('../../packages/engine/data/spoof.json', import.meta.url));
/** Every how manieth portrait is simulated as an attack. */
const STEP = 3;

/** What every head and the two sums say of each real attack. */
function tell(rows: readonly SpoofRow[], { heads, fusion, fusionWithNets }: SpoofModel): void {
  const all = [...heads, fusion, fusionWithNets].map(({ outOfFold }) => outOfFold);
  console.log(...heads.map(({ plan }) => plan.name), 'joined', 'joinedWithNets');
  rows.forEach((row, i) => {
    if (!row.positive || isSimulated(row)) return;
    console.log(...all.map((odds) => sigmoid(odds[i]!).toFixed(2)), row.origin, row.name);
  });
}

const options = readOptions();
if (options.packs === undefined)
  throw new Error('--packs: name a folder where the pack minifasnet is installed');
const { dev, test } = await withPack(
  options.cache,
  async (pack) => {
    if (pack.spoofNets === null) throw new Error(`--packs: no spoof nets are installed in ${options.packs}`);
    const of = async (split: 'dev' | 'test') => [
      ...(await spoofRows(pack, options.folder, split)),
      ...(await portraitRows(pack, options.folder, split)),
    ];
    const others = await otherRows(pack, options.folder);
    const simulated = await simulatedRows(pack, options.folder, STEP);
    return { dev: [...(await of('dev')), ...others, ...simulated], test: await of('test') };
  },
  options.packs,
);
const model = trainSpoof(dev);
const thresholds = [model.fusion, model.fusionWithNets].map(({ outOfFold }) => thresholdOf(dev, outOfFold));
tell(dev, model);
// Nothing of this goes into the weights: what the method reaches where more real attacks are there.
const all = [...dev, ...test];
const both = trainSpoof(all);
tell(all, both);
const about = provenance(dev, figuresOf(dev, model), figuresOf(all, both));
console.log(JSON.stringify(about, null, 1), thresholds, model.fusion.weights, model.fusionWithNets.weights);
writeFileSync(options.out ?? OUT, spoofFile(model, thresholds, about));
if (options.plots !== undefined) {
  const title = 'prints and screens, dev and test, collections held out: ROC area';
  await writeAll(options.plots, { 'spoof-cues.svg': rocPlot(title, curvesOf(all, both)) });
}
