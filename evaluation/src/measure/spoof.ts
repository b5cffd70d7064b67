import type { Engine } from '@wajah/engine';
import type { EvalFolder, Split } from '../data/eval-folder.ts';
import { rocArea } from '../metrics/scores.ts';
import { analyzeEntries, type WithFace, withFace } from './analyze.ts';
import { type Figure, plain, share, tally } from './figure.ts';

type Scored = WithFace<'spoof' | 'verification' | 'eyes_mouth'>;

/**
 * APCER and BPCER (ISO/IEC 30107-3) at the threshold in use, and the score of each attack. Masks and generated faces
 * are species of their own, not print or replay attacks.
 * @param people faces of `verification`, with their spoof score
 */
export async function spoofFigures(
  engine: Engine,
  folder: EvalFolder,
  split: Split,
  people: readonly WithFace<'verification'>[],
): Promise<Figure[]> {
  const faces = withFace(
    await analyzeEntries(engine, folder, 'spoof', folder.entries('spoof', split), ['spoof']),
  );
  const attacks = faces.filter(({ entry }) => entry.label === 'spoof');
  const recaptures = attacks.filter(({ entry }) => !/mask|^AI/.test(entry.attack ?? ''));
  const masks = attacks.filter(({ entry }) => /mask/.test(entry.attack ?? ''));
  const real = faces.filter(({ entry }) => entry.label === 'real');
  const colour = people.filter(({ entry }) => !entry.file.startsWith('lfw/'));
  const grey = people.filter(({ entry }) => entry.file.startsWith('lfw/'));
  const drivers = folder.entries('eyes_mouth', split).filter(({ file }) => file.startsWith('yawdd'));
  const passes = ({ face }: Scored) => face.spoof!.score < engine.spoofThreshold;
  const scores = (some: readonly Scored[]) => some.map(({ face }) => face.spoof!.score);
  const refused = (some: readonly Scored[]) => tally(some, (one) => !passes(one));
  const driving = withFace(await analyzeEntries(engine, folder, 'eyes_mouth', drivers, ['spoof']));
  const bonaFide = [...real, ...colour];
  const area = (some: readonly Scored[], others: readonly Scored[]) =>
    plain(
      `ROC area, print and replay attacks against ${others === real ? 'bona fide of `spoof`' : 'bona fide of `spoof` and colour faces of `verification`'}`,
      rocArea(scores(some), scores(others)).toFixed(3),
      `${some.length} attacks, ${others.length} bona fide`,
    );
  return [
    area(recaptures, bonaFide),
    area(recaptures, real),
    share('APCER, print and replay attacks', tally(recaptures, passes)),
    share('APCER, masks', tally(masks, passes)),
    share('BPCER, bona fide of `spoof`', refused(real)),
    share('BPCER, colour faces of `verification`', refused(colour)),
    share('BPCER, frames of drivers (`eyes_mouth`)', refused(driving)),
    share('BPCER, greyscale faces of `verification`', refused(grey)),
    ...attacks.map((one) =>
      plain(
        `spoof score of the attack: ${one.entry.attack}`,
        one.face.spoof!.score.toFixed(2),
        passes(one) ? 'not detected' : 'detected',
      ),
    ),
  ];
}
