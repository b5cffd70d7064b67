import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../packages/engine/test/drawn/drawn-face.ts';
import { headOf, photograph } from '../../packages/engine/test/drawn/drawn-head.ts';
import { sharedEngine } from '../../packages/engine/test/support/shared-engine.ts';
import { root } from '../support/sources.ts';

/** The folder of `npm run samples`; without it nothing is drawn. */
const wanted = process.env['SAMPLES'];

const team = {
  width: 1200,
  height: 500,
  faces: [
    { person: 'ani', x: 220, y: 230, size: 280 },
    { person: 'darma', x: 600, y: 230, size: 280 },
    { person: 'budi', x: 980, y: 230, size: 280 },
  ],
} as const;

/** An identity card: lines of print, and the face of the holder. */
const card = {
  width: 900,
  height: 620,
  faces: [{ person: 'ani', x: 620, y: 300, size: 300 }],
  cards: [{ face: 0 }],
} as const;

/**
 * The pictures that the README's commands and the console use. Each shows drawn people only. Their names there fit the
 * drawings: Sri is the one with a scarf, `budi`; Budi Santoso is `ani`.
 */
describe.skipIf(!wanted)('sample pictures', () => {
  const pictures: Record<string, () => Promise<Buffer>> = {
    'sri-1': () => drawnFace({ person: 'budi' }),
    'sri-2': () => drawnFace({ person: 'budi', tilt: 6, brightness: 0.9 }),
    door: () => drawnFace({ person: 'budi', tilt: -4 }),
    left: turnedLeft,
    selfie: () => drawnFace({ person: 'ani' }),
    darma: () => drawnFace({ person: 'darma' }),
    citra: () => drawnFace({ person: 'citra' }),
    card: () => drawnPicture(card),
    team: () => drawnPicture(team),
    masked: () => drawnFace({ person: 'darma', mask: true }),
    dark: () => drawnFace({ person: 'eka', brightness: 0.22, blur: 3 }),
  };

  it.each(Object.entries(pictures))('%s.jpg', async (name, draw) => {
    const folder = join(root, wanted!);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.jpg`), await draw());
  });
});

async function turnedLeft(): Promise<Buffer> {
  const picture = await drawnFace({ person: 'budi' });
  const engine = await sharedEngine();
  const { faces } = await engine.analyze(picture, { attributes: ['mesh'], maxFaces: 1, search: 'fast' });
  return photograph(await headOf(picture, faces[0]!.mesh!), { yaw: 27 });
}
