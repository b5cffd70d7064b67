import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sigmoid } from '../learn/logistic.ts';
import { replaceBlock } from '../measure/report.ts';
import {
  isSimulated,
  otherExamples,
  type PadExample,
  portraitExamples,
  simulatedExamples,
  spoofTaskExamples,
} from '../pad/examples.ts';
import { figuresOf, thresholdOf } from '../pad/figures.ts';
import { provenance, weightsFile } from '../pad/file.ts';
import { type PadModel, trainPad } from '../pad/fusion.ts';
import { signalPlots, signalsPage } from '../pad/page.ts';
import { sceneExamples } from '../pad/scene-examples.ts';
import { writeAll } from '../plots/write.ts';
import { readOptions, withPack } from '../run/command.ts';

const OUT = fileURLToPath(new URL('../../../packages/engine/data/spoof.json', import.meta.url));
/** One of so many portraits is simulated as an attack. */
const STEP = 3;

/** Prints the scores of each real attack by every signal and joined. */
function printScores(rows: readonly PadExample[], { signals, fusion, fusionWithNetworks }: PadModel): void {
  const all = [...signals, fusion, fusionWithNetworks].map(({ outOfFold }) => outOfFold);
  console.log(...signals.map(({ signal }) => signal.name), 'joined', 'joinedWithNets');
  rows.forEach((row, i) => {
    if (!row.positive || isSimulated(row)) return;
    console.log(...all.map((odds) => sigmoid(odds[i]!).toFixed(2)), row.origin, row.name);
  });
}

const options = readOptions();
if (options.packs === undefined)
  throw new Error('--packs: name a folder where the pack minifasnet is installed');
const { dev, test, further } = await withPack(
  options.cache,
  async (pack) => {
    if (pack.models.padNetworks === null)
      throw new Error(`--packs: no PAD networks are installed in ${options.packs}`);
    const of = async (split: 'dev' | 'test') => [
      ...(await spoofTaskExamples(pack, options.folder, split)),
      ...(await portraitExamples(pack, options.folder, split)),
    ];
    const others = await otherExamples(pack, options.folder);
    const simulated = await simulatedExamples(pack, options.folder, STEP);
    const further = await sceneExamples(pack, options.folder);
    return { dev: [...(await of('dev')), ...others, ...simulated], test: await of('test'), further };
  },
  options.packs,
);
const model = trainPad(dev, further);
const thresholds = [model.fusion, model.fusionWithNetworks].map(({ outOfFold }) =>
  thresholdOf(dev, outOfFold),
);
printScores(dev, model);
// Not used for the weights: results of the method with more real attacks.
const all = [...dev, ...test];
const both = trainPad(all, further);
printScores(all, both);
const about = provenance(dev, further.length, figuresOf(dev, model), figuresOf(all, both));
writeFileSync(options.out ?? OUT, weightsFile(model, thresholds, about));
const text = signalsPage({ rows: dev, model }, { rows: all, model: both });
console.log(text, thresholds, model.fusion.weights, model.fusionWithNetworks.weights);
const { page, plots } = options;
if (page !== undefined) writeFileSync(page, replaceBlock(readFileSync(page, 'utf8'), 'PAD signals', text));
if (plots !== undefined) await writeAll(plots, signalPlots({ rows: all, model: both }));
