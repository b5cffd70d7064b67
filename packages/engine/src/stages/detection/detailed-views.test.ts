import { describe, expect, it } from 'vitest';
import { type Affine, apply, invert } from '../../imaging/geometry.ts';
import { sampler } from '../../imaging/sampler.ts';
import type { Box, Point } from '../../types.ts';
import { detailedViews, VIEW } from './views.ts';

const [width, height] = [900, 1200];

/** An even picture with a fine pattern in a box. */
function pictureWith(pattern: Box) {
  const pixels = new Uint8Array(width * height * 3).fill(128);
  for (let y = pattern.y; y < pattern.y + pattern.height; y++) {
    for (let x = pattern.x; x < pattern.x + pattern.width; x++) {
      const value = (x >> 3) % 2 === 0 ? 60 : 200;
      pixels.fill(value, (y * width + x) * 3, (y * width + x + 1) * 3);
    }
  }
  const size = { width, height, keptWidth: width, keptHeight: height };
  return sampler({ pixels, ...size, scale: 1 });
}

const holder: Box = { x: 250, y: 200, width: 300, height: 400 };
const nothing: Box = { x: 0, y: 0, width: 0, height: 0 };
const hintAt = ({ x, y }: Point, score = 0.1, side = 40) => ({
  side,
  score,
  keypoints: [],
  box: { x: x - side / 2, y: y - side / 2, width: side, height: side },
});

function shows(view: Affine, p: Point): boolean {
  const { x, y } = apply(invert(view), p);
  return Math.min(x, y) > 0.2 * VIEW && Math.max(x, y) < 0.8 * VIEW;
}

describe('parts of a picture that are looked at for a card', () => {
  it('are around weak detections first, the strongest one before the others, those above the face last', () => {
    const [weak, strong, above] = [
      { x: 200, y: 1000 },
      { x: 700, y: 900 },
      { x: 700, y: 150 },
    ];
    const hints = [hintAt(above, 0.4), hintAt(weak, 0.05), hintAt(strong, 0.2)];
    const views = detailedViews(pictureWith(nothing), [holder], hints, 'some');
    expect([strong, weak, above].map((point, i) => shows(views[i]!, point))).toEqual([true, true, true]);
  });

  it('are where there is print, when nothing is detected', () => {
    const print = { x: 600, y: 900, width: 180, height: 120 };
    const views = detailedViews(pictureWith(print), [holder], [], 'some');
    expect(views.some((view) => shows(view, { x: 690, y: 960 }))).toBe(true);
  });

  it('are 14, however many weak detections there are; the holder and large detections are none of them', () => {
    const hints = Array.from({ length: 100 }, (_, i) =>
      hintAt({ x: 50 + (i % 10) * 90, y: 60 + Math.floor(i / 10) * 120 }),
    );
    const views = detailedViews(pictureWith(nothing), [holder], hints, 'some');
    expect(views).toHaveLength(14);
    const withLarge = detailedViews(
      pictureWith(nothing),
      [holder],
      [hintAt({ x: 700, y: 1100 }, 0.9, 300)],
      'some',
    );
    expect(withLarge).toEqual(detailedViews(pictureWith(nothing), [holder], [], 'some'));
  });
});
