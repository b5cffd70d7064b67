import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sigmoid } from './learn/logistic.ts';
import { rocPlot } from './plots/roc.ts';
import { writeAll } from './plots/write.ts';
import { readOptions, withPack } from './run/command.ts';
import { CUES, type OutOfFold, trainCues } from './spoof/cues.ts';
import { otherRows, portraitRows, type SpoofRow, simulatedRows, spoofRows } from './spoof/examples.ts';
import { curvesOf, figuresOf, thresholdOf } from './spoof/figures.ts';
import { provenance, spoofFile } from './spoof/file.ts';

const OUT = fileURLToPath(new URL('../../packages/engine/data/spoof.json', import.meta.url));
/** Every how manieth portrait is simulated as an attack. */
const STEP = 3;

function tell(rows: readonly SpoofRow[], { cues, fused, fusedWithNets }: OutOfFold): void {
  rows.forEach(({ name, origin, positive }, i) => {
    if (!positive || origin.startsWith('simulated')) return;
    const values = [...CUES.map((cue) => cues[cue][i]!), fused[i]!, fusedWithNets[i]!];
    console.log(...values.map((odds) => sigmoid(odds).toFixed(2)), origin, name);
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
const { model, outOfFold } = trainCues(dev);
const thresholds = [outOfFold.fused, outOfFold.fusedWithNets].map((odds) => thresholdOf(dev, odds));
tell(dev, outOfFold);
// Nothing of this goes into the weights: what the method reaches where more real attacks are there.
const all = [...dev, ...test];
const both = trainCues(all).outOfFold;
tell(all, both);
const about = provenance(dev, figuresOf(dev, outOfFold), figuresOf(all, both));
console.log(JSON.stringify(about, null, 1), thresholds, model.fusion, model.fusionWithNets);
writeFileSync(options.out ?? OUT, spoofFile(model, thresholds, about));
if (options.plots !== undefined) {
  const title = 'prints and screens, dev and test, collections held out: ROC area';
  await writeAll(options.plots, { 'spoof-cues.svg': rocPlot(title, curvesOf(all, both)) });
}
