import type { PackSamples } from '../people/packs.ts';
import { subgroupsOf } from '../people/subgroups.ts';
import type { Sample } from '../people/templates.ts';
import { scoresOf } from '../people/verification.ts';
import { detPlot, distributionPlot } from './recognition.ts';
import { writeAll } from './write.ts';

/** Writes DET curves of all pairs and by subgroup, and the score distributions. @returns paths */
export async function writePeoplePlots(
  { plots, split }: { readonly plots: string | undefined; readonly split: string },
  pack: string,
  samples: readonly Sample[],
): Promise<string[]> {
  if (plots === undefined) return [];
  const title = `${pack}, ${split}: all pairs`;
  const kinds = subgroupsOf(samples).map(({ row, includes }) => {
    return [row, scoresOf(samples.filter(includes))] as const;
  });
  return writeAll(plots, {
    [`verification-${split}-det.svg`]: detPlot(title, Object.fromEntries(kinds)),
    [`verification-${split}-scores.svg`]: distributionPlot(title, scoresOf(samples)),
  });
}

/** Writes the DET curves of packs on the same pictures. @returns paths */
export async function writePackPlots(
  { plots, split }: { readonly plots: string | undefined; readonly split: string },
  packs: readonly PackSamples[],
): Promise<string[]> {
  if (plots === undefined) return [];
  const kinds = packs.map(({ name, samples }) => [name, scoresOf(samples)] as const);
  const svg = detPlot(`${split}: all pairs, packs compared`, Object.fromEntries(kinds));
  return writeAll(plots, { [`packs-${split}-det.svg`]: svg });
}
