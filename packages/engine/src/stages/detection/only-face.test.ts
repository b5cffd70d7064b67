import { describe, expect, it } from 'vitest';
import { drawnPicture } from '../../../test/drawn/drawn-face.ts';
import { withRuns } from '../../../test/support/counted-runs.ts';
import { sharedPack } from '../../../test/support/shared-engine.ts';
import { analyze } from '../../analyze.ts';
import type { Attribute, Search } from '../../types.ts';

const limits = { maxBytes: 10 << 20, maxPixels: 50e6 };
const [width, height] = [800, 600];
const ani = { person: 'ani', x: 300, y: 260, size: 400 } as const;

const pack = await sharedPack();

/** Faces of a drawn picture, and how often the detector looked at many pixels. */
async function look(
  faces: Parameters<typeof drawnPicture>[0]['faces'],
  search: Search = 'fast',
  attributes: readonly Attribute[] = [],
) {
  const picture = await drawnPicture({ width, height, faces });
  let [few, many] = [0, 0];
  const models = withRuns(pack.models, (small) => {
    if (small) few += 1;
    else many += 1;
  });
  const { found, boxes } = await analyze(models, picture, { attributes, maxFaces: 1, search }, limits);
  return { found, few, many, box: boxes[0]! };
}

describe('a large face that is alone', () => {
  it('is found with few pixels alone, where it is found with many', async () => {
    const quick = await look([ani]);
    expect(quick).toMatchObject({ found: 1, few: 1, many: 0 });
    const { x, y, width: wide } = (await look([ani], 'fast', ['mouth'])).box;
    expect(Math.hypot(quick.box.x - x, quick.box.y - y)).toBeLessThan(0.03 * wide);
  });

  it('is looked for with many pixels beside another face, where it is small, in a thorough search, and for liveness', async () => {
    const beside = { person: 'budi', x: 660, y: 300, size: 150 } as const;
    expect(await look([ani, beside])).toMatchObject({ found: 2, many: 1 });
    expect(await look([{ ...ani, size: 80 }])).toMatchObject({ found: 1, many: 1 });
    expect(await look([ani], 'thorough')).toMatchObject({ found: 1, few: 0 });
    expect(await look([ani], 'fast', ['embedding', 'spoof'])).toMatchObject({ found: 1, few: 0 });
  });
});
