import type { Engine } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { analyzeEntries } from './analyze.ts';
import { type Figure, plain, share, tally } from './figure.ts';

/** Missed faces and false detections in group pictures and in pictures without a person. */
export async function detectionFigures(engine: Engine, folder: EvalFolder, split: Split): Promise<Figure[]> {
  const groups = await analyzeEntries(
    engine,
    folder,
    'crowd',
    folder.entries('crowd', split),
    [],
    'thorough',
  );
  const nobody = await analyzeEntries(
    engine,
    folder,
    'negatives',
    folder.entries('negatives', split),
    [],
    'thorough',
  );
  const labelled = groups.reduce((sum, { entry }) => sum + entry.faces, 0);
  const missing = groups.reduce((sum, { entry, found }) => sum + Math.max(0, entry.faces - found), 0);
  const extra = groups.reduce((sum, { entry, found }) => sum + Math.max(0, found - entry.faces), 0);
  return [
    share('faces missed in group pictures', { events: missing, trials: labelled }),
    plain(
      'false detections in group pictures',
      String(extra),
      `${groups.length} pictures, ${labelled} faces`,
    ),
    share(
      'pictures without a person with a false detection',
      tally(nobody, ({ found }) => found > 0),
    ),
  ];
}
