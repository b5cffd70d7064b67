import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { subgroupsOf } from '../people/subgroups.ts';
import type { Sample } from '../people/templates.ts';
import { scoresOf } from '../people/verification.ts';
import { detPlot } from './det.ts';

/** Writes DET curves of all pairs and by subgroup, where a folder is given. @returns paths */
export function writePeoplePlots(
  { plots, split }: { readonly plots: string | undefined; readonly split: string },
  pack: string,
  samples: readonly Sample[],
): string[] {
  if (plots === undefined) return [];
  const kinds = subgroupsOf(samples).map(({ row, includes }) => {
    return [row, scoresOf(samples.filter(includes))] as const;
  });
  mkdirSync(plots, { recursive: true });
  const path = join(plots, `verification-${split}-det.svg`);
  writeFileSync(path, detPlot(`${pack}, ${split}: all pairs`, Object.fromEntries(kinds)));
  return [path];
}
