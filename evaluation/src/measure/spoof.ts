import type { Engine } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { rocArea } from '../metrics/scores.ts';
import { type Figure, plain, share, tally } from './figure.ts';
import { look, withFace } from './look.ts';
import type { Faces } from './recognition.ts';

/** Spoof score: attacks that pass (APCER), people refused (BPCER), and each attack by name. */
export async function spoofFigures(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
  others: Faces,
): Promise<Figure[]> {
  const faces = withFace(await look(engine, folder, 'spoof', folder.entries('spoof', split), ['spoof']));
  const score = ({ face }: (typeof faces)[number]) => face.spoof!.score;
  const attacks = faces.filter(({ entry }) => entry.label === 'spoof');
  const real = faces.filter(({ entry }) => entry.label === 'real');
  const refused = (some: readonly { readonly face: { readonly spoof?: { readonly score: number } } }[]) =>
    tally(some, ({ face }) => face.spoof!.score >= engine.spoofThreshold);
  const drivers = folder.entries('eyes_mouth', split).filter(({ file }) => file.startsWith('yawdd'));
  const grey = others.filter(({ entry }) => entry.file.startsWith('lfw/'));
  const colour = others.filter(({ entry }) => !entry.file.startsWith('lfw/'));
  return [
    plain(
      'ROC area on `spoof`',
      rocArea(attacks.map(score), real.map(score)).toFixed(3),
      `${attacks.length} attacks, ${real.length} real`,
    ),
    share(
      'attacks that pass (APCER)',
      tally(attacks, (one) => score(one) < engine.spoofThreshold),
    ),
    share('real faces of `spoof` refused (BPCER)', refused(real)),
    share('colour faces of `verification` refused', refused(colour)),
    share(
      'frames of drivers (`eyes_mouth`) refused',
      refused(withFace(await look(engine, folder, 'eyes_mouth', drivers, ['spoof']))),
    ),
    share('greyscale faces of `verification` refused', refused(grey)),
    ...attacks.map((one) =>
      plain(
        `attack: ${one.entry.attack}`,
        score(one).toFixed(2),
        score(one) < engine.spoofThreshold ? 'passes' : 'caught',
      ),
    ),
  ];
}
