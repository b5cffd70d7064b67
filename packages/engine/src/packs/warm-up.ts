import { roles } from './manifest.ts';
import type { OpenPack } from './pack.ts';

/** Runs each network once, so that the first picture does not pay for what the runtime sets up on the first run. */
export async function warmUp(pack: OpenPack): Promise<void> {
  for (const role of roles) {
    const { channels, height, width } = pack.manifest.networks[role].input;
    const name = pack.networks[role].inputs[0]!;
    const data = new Float32Array(channels * height * width);
    await pack.networks[role].run({ [name]: { data, dims: [1, channels, height, width] } });
  }
  for (const { network, spec } of Object.values(pack.padNetworks ?? {})) {
    const { channels, height, width } = spec.input;
    const data = new Float32Array(channels * height * width);
    await network.run({ [network.inputs[0]!]: { data, dims: [1, channels, height, width] } });
  }
}
