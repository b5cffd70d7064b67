import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawnPicture } from '../../../test/drawn/drawn-face.ts';
import { withRuns } from '../../../test/support/counted-runs.ts';
import { modelCache } from '../../../test/support/shared-engine.ts';
import { decodeAndFind } from '../../analyze.ts';
import { openBuiltinPack } from '../../packs/builtin.ts';
import type { OpenPack } from '../../packs/pack.ts';
import type { Search } from '../../types.ts';

const limits = { maxBytes: 10 << 20, maxPixels: 50e6 };
const [width, height] = [800, 600];
const ani = { person: 'ani', x: 300, y: 260, size: 400 } as const;

let pack: OpenPack;
beforeAll(async () => {
  pack = await openBuiltinPack(modelCache);
});
afterAll(() => pack.close());

/** Faces of a drawn picture, and how often the detector looked at many pixels. */
async function search(faces: Parameters<typeof drawnPicture>[0]['faces'], how: Search = 'fast') {
  const picture = await drawnPicture({ width, height, faces });
  let [few, many] = [0, 0];
  const models = withRuns(pack.models, (small) => {
    if (small) few += 1;
    else many += 1;
  });
  const { found, faces: all } = await decodeAndFind(models, picture, how, limits);
  return { found, few, many, box: all[0]!.box };
}

describe('a large face that is alone', () => {
  it('is found with few pixels alone, where it is found with many', async () => {
    const quick = await search([ani]);
    expect(quick).toMatchObject({ found: 1, few: 1, many: 0 });
    const { smaller: _, ...detector } = pack.models.detector;
    const picture = await drawnPicture({ width, height, faces: [ani] });
    const { faces } = await decodeAndFind({ ...pack.models, detector }, picture, 'fast', limits);
    const { x, y, width: wide } = faces[0]!.box;
    expect(Math.hypot(quick.box.x - x, quick.box.y - y)).toBeLessThan(0.03 * wide);
  });

  it('is looked for with many pixels beside another face, where it is small, and in a thorough search', async () => {
    const beside = { person: 'budi', x: 660, y: 300, size: 150 } as const;
    expect(await search([ani, beside])).toMatchObject({ found: 2, many: 1 });
    expect(await search([{ ...ani, size: 80 }])).toMatchObject({ found: 1, many: 1 });
    expect(await search([ani], 'thorough')).toMatchObject({ found: 1, few: 0 });
  });
});
