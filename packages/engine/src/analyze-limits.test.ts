import { describe, expect, it } from 'vitest';
import { drawnFace } from '../test/drawn/drawn-face.ts';
import { crowd } from '../test/support/bombs/bombs.ts';
import { noise } from '../test/support/pictures.ts';
import { sharedPack } from '../test/support/shared-engine.ts';
import { analyze, decodeAndFind } from './analyze.ts';
import { startWorkClock } from './imaging/work-clock.ts';
import { modelsWithin } from './stages/stopwatch.ts';
import type { Search } from './types.ts';

const limits = { maxBytes: 10 << 20, maxPixels: 50e6 };
const request = { attributes: [], maxFaces: 1, search: 'fast' } as const;
const later = () => Date.now() + 60_000;

const pack = await sharedPack();
const picture = await crowd(6, 5);

/** Runs of networks until the work on the picture ends. @param allowed runs after which the clock has run out */
async function runs(
  maxFaces: number,
  allowed = Number.POSITIVE_INFINITY,
  image = picture,
  search: Search = 'fast',
) {
  let count = 0;
  const check = () => {
    count += 1;
    if (count > allowed) throw new RangeError('the time is over');
  };
  const clock = { check, remaining: () => 60_000 };
  const models = modelsWithin(clock, pack.models);
  const result = await decodeAndFind(models, image, search, limits, maxFaces).catch(
    (error: unknown) => error,
  );
  return { count, result };
}

describe('the work on a picture', () => {
  it('ends between two runs of a network when its time is over', async () => {
    const { count, result } = await runs(1, 4);
    expect(result).toBeInstanceOf(RangeError);
    expect(count).toBe(5);
  });

  it('does not begin after the deadline', async () => {
    const late = analyze(pack.models, picture, request, limits, Date.now() - 1);
    await expect(late).rejects.toMatchObject({ code: 'deadline' });
  });

  it('is refused as too expensive when the picture alone takes more than one may', async () => {
    const costly = analyze(pack.models, await noise('png'), request, { ...limits, maxMs: 0.01 }, later());
    await expect(costly).rejects.toMatchObject({ code: 'imageBroken', message: /alone takes more than/ });
  });

  it('has the shorter one of the two times left', () => {
    expect(startWorkClock(500, later()).remaining()).toBeLessThanOrEqual(500);
    expect(startWorkClock(1e6, Date.now() - 5).remaining()).toBe(0);
  });
});

it('a crowd costs what the number of wanted faces says, and is counted', async () => {
  const [one, twenty] = [await runs(1), await runs(20)];
  for (const { result } of [one, twenty]) {
    expect((result as { found: number }).found).toBeGreaterThan(25);
  }
  // One run finds them. Each face takes a mesh, and as it is small, a further look with its mesh.
  expect([one.count, twenty.count]).toEqual([1 + 3 * 16, 1 + 3 * 20]);
});

it('the search for a card where there is none looks at 14 parts of the picture', async () => {
  const selfie = await drawnFace({ width: 900, height: 1200 });
  const { count, result } = await runs(8, Number.POSITIVE_INFINITY, selfie, 'card');
  expect(result).toMatchObject({ found: 1 });
  // The whole picture twice, its face, and a few detections that are none.
  expect(count).toBeLessThanOrEqual(2 + 1 + 14 + 4);
});
