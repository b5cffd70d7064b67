import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type OpenPack, openNetwork, type TrainingFace } from '@wajah/engine/training';
import { convertWithActivations } from '@wajah/models/convert';
import { ActivationStatistics } from '../learn/activation-statistics.ts';
import { type Options, readOptions, withPack } from '../run/command.ts';
import { measureFaces } from '../run/measure-faces.ts';

/** A network that computes in eight bits. */
interface Plan {
  readonly role: 'features';
  /** Activations, from the input, that stay in floating point. */
  readonly first: number;
  run(face: TrainingFace): Promise<unknown>;
}

/**
 * @NOTE plan
 * In the features network the result of the first convolution has channels of very different ranges: with it in eight bits
 * the cosine of the outputs with those in floating point is 0.9987, without it 0.9996.
 */
const PLANS: readonly Plan[] = [{ role: 'features', first: 1, run: (face) => face.features() }];
/** Every so many pictures. */
const STEP = 12;

const DATA = new URL('../../../models/data/', import.meta.url);

async function quantise(pack: OpenPack, { folder }: Options, plan: Plan): Promise<string> {
  const manifest = pack.manifest.networks[plan.role];
  const { model, names } = await convertWithActivations(manifest);
  const network = await openNetwork(model, manifest.file);
  const statistics = new ActivationStatistics(names.slice(plan.first));
  const recording = {
    ...network,
    run: async (feeds: Parameters<typeof network.run>[0]) => {
      const outputs = await network.run(feeds);
      statistics.add(outputs);
      return outputs;
    },
  };
  const recorded = {
    ...pack,
    models: { ...pack.models, [plan.role]: { network: recording, spec: manifest } },
  };
  const entries = folder.entries('verification', 'dev').filter((_, i) => i % STEP === 0);
  const { measured } = await measureFaces(recorded, folder, 'verification', entries, plan.run);
  await network.close();
  const provenance = {
    script: 'lab/src/training/quantise.ts',
    data: `dev: verification, every ${STEP}th picture, most prominent face`,
    pictures: measured.length,
    method: 'ranges: third quartile over the pictures of the lowest and the highest value; means of channels',
  };
  return `${JSON.stringify({ provenance, values: statistics.values() }, null, 1)}\n`;
}

const options = readOptions();
await withPack(async (pack) => {
  for (const plan of PLANS) {
    const out = fileURLToPath(new URL(`quantised-${plan.role}.json`, DATA));
    writeFileSync(options.out ?? out, await quantise(pack, options, plan));
  }
});
