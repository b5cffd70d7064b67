import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeResult } from '../measure/report.ts';
import { cachedExamples } from '../pad/features-file.ts';
import { provenance, weightsFile } from '../pad/file.ts';
import { signalPlots, signalTables } from '../pad/page.ts';
import { simulatedExamples } from '../pad/simulated.ts';
import { labelledExamples, otherExamples } from '../pad/sources.ts';
import { trainPad } from '../pad/train.ts';
import { writeAll } from '../plots/write.ts';
import { readOptions, withPack } from '../run/command.ts';

const OUT = fileURLToPath(new URL('../../../packages/engine/data/spoof.json', import.meta.url));

const options = readOptions();
const { features } = options;

const examples = await cachedExamples(features, () => {
  if (options.packs === undefined) throw new Error('--packs: name a folder where the pack pad is installed');
  return withPack(
    options.cache,
    async (pack) => {
      if (pack.models.padNetworks === null)
        throw new Error(`--packs: no PAD networks are installed in ${options.packs}`);
      return [
        ...(await labelledExamples(pack, options.folder, 'dev')),
        ...(await otherExamples(pack, options.folder)),
        ...(await simulatedExamples(pack, options.folder)),
      ];
    },
    options.packs,
  );
});
// A generated face is no recapture: nothing before the camera shows it.
const taught = examples.filter(({ species }) => species !== 'generated');
const model = trainPad(taught);
writeFileSync(options.out ?? OUT, weightsFile(model, provenance(taught)));
const tables = signalTables(taught, model);
console.log(JSON.stringify(tables, null, 1), model.own.threshold, model.withNetworks.threshold);
const { results, plots } = options;
const notes = ['Each row is scored by fits that left out its collection.'];
if (results !== undefined)
  writeResult(results, 'pad-signals', { pack: 'builtin with minifasnet', tables, notes });
if (plots !== undefined) await writeAll(plots, signalPlots(taught, model));
