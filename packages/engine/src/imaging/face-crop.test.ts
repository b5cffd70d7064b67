import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawnPicture } from '../../test/drawn/drawn-face.ts';
import { faceOfCrop } from '../stages/detection/detection.ts';
import type { Box, Face } from '../types.ts';
import { decodeImage } from './decode.ts';
import { cropOf } from './face-crop.ts';

const limits = { maxBytes: 10 << 20, maxPixels: 50e6 };
const face = (box: Box): Face => ({
  box,
  score: 1,
  meshScore: 1,
  landmarks: [] as unknown as Face['landmarks'],
});

/** A picture whose pixels encode their position. */
async function map(width: number, height: number) {
  const data = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    data[i * 3] = ((i % width) / width) * 255;
    data[i * 3 + 1] = (Math.floor(i / width) / height) * 255;
  }
  const png = await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return decodeImage(png, limits);
}

/** Where in the picture the middle of a box of the JPEG is, by its colours. */
async function placeOf(jpeg: Uint8Array, box: Box, { width, height }: { width: number; height: number }) {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
  const at = (y * info.width + x) * 3;
  return { x: (data[at]! / 255) * width, y: (data[at + 1]! / 255) * height };
}

describe('a face crop', () => {
  const boxes: [what: string, box: Box][] = [
    ['in the middle', { x: 400, y: 300, width: 150, height: 180 }],
    ['small', { x: 700, y: 90, width: 30, height: 34 }],
    ['over the left edge', { x: -40, y: 250, width: 200, height: 240 }],
    ['in the last corner', { x: 800, y: 580, width: 220, height: 200 }],
    ['larger than the picture', { x: -100, y: -50, width: 1200, height: 900 }],
  ];
  it.each(boxes)('%s shows the face where it says', async (_, box) => {
    const picture = await map(1000, 750);
    const crop = await cropOf(picture, box);
    const { width = 0, height = 0, format } = await sharp(crop.jpeg).metadata();
    expect(format).toBe('jpeg');
    expect(Math.max(width, height)).toBeLessThanOrEqual(512);
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const seen = await placeOf(crop.jpeg, crop.box, picture);
    expect(Math.hypot(seen.x - middle.x, seen.y - middle.y)).toBeLessThan(12);
    expect(crop.box.width / crop.box.height).toBeCloseTo(box.width / box.height, 5);
  });

  it('of a large picture is cut from what was kept of it, and is not enlarged', async () => {
    const picture = await map(3200, 2400);
    const box = { x: 1500, y: 1000, width: 80, height: 100 };
    const crop = await cropOf(picture, box);
    const { width } = await sharp(crop.jpeg).metadata();
    // Whole pixels, outwards.
    expect([125, 126]).toContain(width);
    expect(crop.box.height).toBeCloseTo(50, 0);
  });

  it('carries no metadata of the picture', async () => {
    const drawn = await drawnPicture({
      width: 400,
      height: 400,
      faces: [{ person: 'ani', x: 200, y: 200, size: 200 }],
    });
    const tagged = await sharp(drawn)
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .jpeg()
      .toBuffer();
    const picture = await decodeImage(tagged, limits);
    const { jpeg } = await cropOf(picture, { x: 100, y: 100, width: 200, height: 200 });
    expect((await sharp(jpeg).metadata()).exif).toBeUndefined();
    expect(Buffer.from(jpeg).includes('secret place')).toBe(false);
  });
});

describe('the face of a crop', () => {
  const box = { x: 100, y: 100, width: 100, height: 120 };
  const moved = face({ x: 104, y: 98, width: 110, height: 116 });
  const beside = face({ x: 230, y: 100, width: 140, height: 160 });
  it('is the one that lies where it was, not a larger one beside it', () => {
    expect(faceOfCrop([beside, moved], { box })).toBe(moved);
    expect(faceOfCrop([beside], { box })).toBeNull();
    expect(faceOfCrop([], { box })).toBeNull();
  });
});
