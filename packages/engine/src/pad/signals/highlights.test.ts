import { expect, it } from 'vitest';
import { boxAround, noiseAt, painted } from '../../../test/drawn/painted.ts';
import { cueOf } from '../../../test/support/signal-of.ts';
import { highlights } from './highlights.ts';

const SKIN = [200, 150, 120] as const;
const box = boxAround(150, 150, 180);

/** Skin with a little noise, lit by `glance` of white light at each place, in levels. */
function skin(glance: (x: number, y: number) => number) {
  return painted(300, 300, (x, y, channel) =>
    Math.min(255, 0.7 * SKIN[channel]! + 4 * noiseAt(y * 300 + x) + glance(x, y)),
  );
}

const spot = (middle: number, radius: number) => (x: number, y: number) =>
  Math.hypot(x - middle, y - 150) < radius ? 70 : 0;

it('sees where light glances off, whatever the skin is lit by', async () => {
  const matt = await cueOf(
    highlights,
    skin(() => 0),
    box,
  );
  const shining = await cueOf(highlights, skin(spot(150, 30)), box);
  expect(matt['glint-99']).toBeLessThan(0.15);
  expect(shining['glint-99']).toBeGreaterThan(0.4);
  const brighter = painted(300, 300, (_, y, channel) => SKIN[channel]! * (0.6 + y / 900));
  expect((await cueOf(highlights, brighter, box))['glint-99']).toBeLessThan(0.15);
});

it('tells a large spot from many small ones, and one at the side from one in the middle', async () => {
  const glare = await cueOf(highlights, skin(spot(150, 40)), box);
  const speckled = await cueOf(
    highlights,
    skin((x, y) => (x % 12 < 4 && y % 12 < 4 ? 70 : 0)),
    box,
  );
  expect(glare['glint-largest']! - speckled['glint-largest']!).toBeGreaterThan(0.5);
  const aside = await cueOf(highlights, skin(spot(195, 25)), box);
  expect(aside['glint-one-sided']! - glare['glint-one-sided']!).toBeGreaterThan(0.5);
  expect(aside['glint-outwards']! - glare['glint-outwards']!).toBeGreaterThan(0.1);
});

it('is unknown where there are no colours', async () => {
  const grey = painted(300, 300, (x, y) => 120 + 20 * noiseAt(y * 300 + x));
  expect((await cueOf(highlights, grey, box))['glint-99']).toBeNaN();
});
