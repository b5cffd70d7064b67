import type { NetworkManifest } from '../manifest.ts';
import type { Network } from '../pack.ts';

/** A network of a file that was made elsewhere, its outputs by the names that the stages know. */
export function renameOutputs(network: Network, outputs: NetworkManifest['outputs']): Network {
  const names = Object.entries(outputs);
  const [only] = network.outputs;
  const theirs = names.map(([ours, { node }]) => {
    if (names.length === 1 && network.outputs.length === 1) return [ours, only!] as const;
    return [ours, node ?? ours] as const;
  });
  return {
    inputs: network.inputs,
    outputs: names.map(([ours]) => ours),
    async run(feeds) {
      const answers = await network.run(feeds);
      const renamed = theirs.map(([ours, name]) => [ours, answers[name]] as const);
      return Object.fromEntries(renamed.filter(([, tensor]) => tensor !== undefined)) as typeof answers;
    },
    close: () => network.close(),
  };
}
