import { cpus } from 'node:os';
import { bench, describe } from 'vitest';
import { roles } from '../packages/engine/src/packs/manifest.ts';
import { openPack } from '../packages/engine/src/training.ts';
import { modelCache } from '../packages/engine/test/support/shared-engine.ts';
import { openReference } from '../packages/models/test/tfjs-reference.ts';

/**
 * Each network of the built-in pack on one thread, compared in one run with the library that it comes from (tfjs on
 * WebAssembly): `npx vitest bench bench/engine.bench.ts`. Only the ratios are valid on other machines.
 */

const pack = await openPack(modelCache);
const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`;

for (const role of roles) {
  const { height, width } = pack.manifest.networks[role].input;
  const picture = Float32Array.from({ length: 3 * height * width }, (_, i) => (i * 7919) % 256);
  const reference = await openReference(pack.manifest.networks[role]);
  const run = (batch: number) => {
    const data = new Float32Array(batch * picture.length);
    for (let i = 0; i < batch; i += 1) data.set(picture, i * picture.length);
    const input = { data, dims: [batch, 3, height, width] };
    return async () => void (await pack.models[role].network.run({ input }));
  };
  describe(`${role} ${width}×${height}, ${machine}`, () => {
    bench('onnxruntime, 1 thread', run(1));
    bench('onnxruntime, 1 thread, two at once', run(2));
    bench('tfjs, WebAssembly', async () => void (await reference(picture)));
  });
}
