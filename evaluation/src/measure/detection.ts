import type { Engine } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { type Figure, plain, share, tally } from './figure.ts';
import { look } from './look.ts';

/** Faces found in groups, and where nobody is. */
export async function detectionFigures(engine: Engine, folder: EvalFolder, split: Split): Promise<Figure[]> {
  const groups = await look(engine, folder, 'crowd', folder.entries('crowd', split), [], 'thorough');
  const nobody = await look(engine, folder, 'negatives', folder.entries('negatives', split), [], 'thorough');
  const labelled = groups.reduce((sum, { entry }) => sum + entry.faces, 0);
  const missing = groups.reduce((sum, { entry, found }) => sum + Math.max(0, entry.faces - found), 0);
  const extra = groups.reduce((sum, { entry, found }) => sum + Math.max(0, found - entry.faces), 0);
  return [
    share('faces of groups not found', { events: missing, trials: labelled }),
    plain('faces of groups found too many', String(extra), `${groups.length} pictures, ${labelled} faces`),
    share(
      'pictures without a person in which a face is found',
      tally(nobody, ({ found }) => found > 0),
    ),
  ];
}
