import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sigmoid } from '../learn/logistic.ts';
import { replaceBlock } from '../measure/report.ts';
import {
  isSimulated,
  otherRows,
  portraitRows,
  type SpoofRow,
  simulatedRows,
  spoofRows,
} from '../pad/examples.ts';
import { figuresOf, thresholdOf } from '../pad/figures.ts';
import { provenance, spoofFile } from '../pad/file.ts';
import { type SpoofModel, trainSpoof } from '../pad/fusion.ts';
import { sceneLessons } from '../pad/lessons.ts';
import { cuePlots, cuesPage } from '../pad/page.ts';
import { writeAll } from '../plots/write.ts';
import { readOptions, withPack } from '../run/command.ts';

const OUT = fileURLToPath(new URL('../../../packages/engine/data/spoof.json', import.meta.url));
/** Every how manieth portrait is simulated as an attack. */
const STEP = 3;

/** What every cue and the two sums say of each real attack. */
function tell(rows: readonly SpoofRow[], { cues, fusion, fusionWithNets }: SpoofModel): void {
  const all = [...cues, fusion, fusionWithNets].map(({ outOfFold }) => outOfFold);
  console.log(...cues.map(({ cue }) => cue.name), 'joined', 'joinedWithNets');
  rows.forEach((row, i) => {
    if (!row.positive || isSimulated(row)) return;
    console.log(...all.map((odds) => sigmoid(odds[i]!).toFixed(2)), row.origin, row.name);
  });
}

const options = readOptions();
if (options.packs === undefined)
  throw new Error('--packs: name a folder where the pack minifasnet is installed');
const { dev, test, lessons } = await withPack(
  options.cache,
  async (pack) => {
    if (pack.padNetworks === null)
      throw new Error(`--packs: no spoof nets are installed in ${options.packs}`);
    const of = async (split: 'dev' | 'test') => [
      ...(await spoofRows(pack, options.folder, split)),
      ...(await portraitRows(pack, options.folder, split)),
    ];
    const others = await otherRows(pack, options.folder);
    const simulated = await simulatedRows(pack, options.folder, STEP);
    const lessons = await sceneLessons(pack, options.folder);
    return { dev: [...(await of('dev')), ...others, ...simulated], test: await of('test'), lessons };
  },
  options.packs,
);
const model = trainSpoof(dev, lessons);
const thresholds = [model.fusion, model.fusionWithNets].map(({ outOfFold }) => thresholdOf(dev, outOfFold));
tell(dev, model);
// Nothing of this goes into the weights: what the method reaches where more real attacks are there.
const all = [...dev, ...test];
const both = trainSpoof(all, lessons);
tell(all, both);
const about = provenance(dev, lessons.length, figuresOf(dev, model), figuresOf(all, both));
writeFileSync(options.out ?? OUT, spoofFile(model, thresholds, about));
const text = cuesPage({ rows: dev, model }, { rows: all, model: both });
console.log(text, thresholds, model.fusion.weights, model.fusionWithNets.weights);
const { page, plots } = options;
if (page !== undefined) writeFileSync(page, replaceBlock(readFileSync(page, 'utf8'), 'spoof cues', text));
if (plots !== undefined) await writeAll(plots, cuePlots({ rows: all, model: both }));
