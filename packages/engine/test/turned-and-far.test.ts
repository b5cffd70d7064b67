import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Face } from '../src/types.ts';
import { drawnFace, drawnPicture } from './drawn/drawn-face.ts';
import { sharedEngine } from './support/shared-engine.ts';

const SHARED = fileURLToPath(new URL('../../../../shared/', import.meta.url));
const PEOPLE = 60;
/** Similarity of a match of two pictures. */
const SAME = 0.625;
const GROUND = { r: 120, g: 130, b: 140 };

const engine = await sharedEngine();

async function faceIn(picture: Uint8Array): Promise<Face | undefined> {
  const request = { attributes: ['embedding', 'pose'], maxFaces: 1, search: 'fast' } as const;
  return (await engine.analyze(picture, request)).faces[0];
}

function turned(picture: Uint8Array, degrees: number): Promise<Buffer> {
  return sharp(picture).rotate(degrees, { background: GROUND }).jpeg().toBuffer();
}

/** The picture, 250 pixels wide, in the lower right of a large even one. */
async function far(picture: Uint8Array, [width, height]: readonly [number, number]): Promise<Buffer> {
  const input = await sharp(picture).toColourspace('srgb').resize({ width: 250 }).toBuffer();
  const part = { input, left: Math.round(width * 0.55), top: Math.round(height * 0.6) };
  return sharp({ create: { width, height, channels: 3, background: GROUND } })
    .composite([part])
    .jpeg()
    .toBuffer();
}

/** Similarity to the upright near face; undefined: no face is found. */
async function similarity(near: Face, picture: Uint8Array): Promise<number | undefined> {
  const face = await faceIn(picture);
  return face && engine.comparisonSimilarity(near.embedding!, face.embedding!);
}

describe('a drawn face', () => {
  it('is found at its place and way up at every turn', async () => {
    const picture = await drawnFace();
    for (const degrees of [0, 60, 90, 120, 180, 240, 270, 300]) {
      const face = await faceIn(await turned(picture, degrees));
      const off = ((face!.pose!.roll - degrees + 540) % 360) - 180;
      expect([degrees, Math.abs(off) < 15]).toEqual([degrees, true]);
    }
  });

  it('is found behind a mask in the dark, where closer looks cannot tell which way up it is', async () => {
    const drawn = { person: 'ani', mask: true, width: 800, height: 600, x: 400, y: 280, size: 500 } as const;
    const face = await faceIn(await drawnFace({ ...drawn, brightness: 0.45, tilt: 15 }));
    expect(Math.abs(face!.pose!.roll - 15)).toBeLessThan(15);
  });

  it('is found at its place where it is small in a large picture', async () => {
    const place = { x: 2000, y: 1100, size: 220 };
    const face = await faceIn(await drawnPicture({ width: 2560, height: 1440, faces: [place] }));
    const [right, left] = face!.landmarks;
    expect(Math.hypot((right.x + left.x) / 2 - place.x, (right.y + left.y) / 2 - place.y)).toBeLessThan(20);
  });
});

interface Entry {
  readonly file: string;
  readonly identity: string;
  readonly split: string;
}

/** One picture of each of some people of `dev`, with its face. */
async function people(): Promise<{ picture: Uint8Array; near: Face }[]> {
  const folder = join(SHARED, 'eval/verification');
  const all: Entry[] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const dev = new Map(all.filter(({ split }) => split === 'dev').map((entry) => [entry.identity, entry]));
  const chosen = [...dev.values()].filter((_, i) => i % Math.floor(dev.size / PEOPLE) === 0).slice(0, PEOPLE);
  const pictures = chosen.map(({ file }) => readFileSync(join(folder, file)));
  const found: { picture: Uint8Array; near: Face }[] = [];
  for (const picture of pictures) {
    const near = await faceIn(picture);
    if (near) found.push({ picture, near });
  }
  return found;
}

describe.skipIf(!existsSync(join(SHARED, 'eval')))('a photographed face', () => {
  it('is recognised upside down and on its side, and refused rather than taken the wrong way up', async () => {
    let [wrong, refused, tried] = [0, 0, 0];
    for (const [i, { picture, near }] of (await people()).entries()) {
      for (const degrees of [180, i % 2 ? 135 : 225]) {
        const same = await similarity(near, await turned(picture, degrees));
        tried++;
        if (same === undefined) refused++;
        else if (same < SAME) wrong++;
      }
    }
    expect(tried).toBeGreaterThan(100);
    expect([wrong <= 2, refused <= 3], `${wrong} wrong, ${refused} refused of ${tried}`).toEqual([
      true,
      true,
    ]);
  });

  it('that lies level is not turned over, where both second looks find less than the first', async () => {
    // A man who laughs: his eyes are lines, and his mouth is open.
    const name = 'Tung_Chee-hwa';
    const picture = (number: number) =>
      readFileSync(join(SHARED, `eval/verification/lfw/${name}/${name}_000${number}.jpg`));
    const laughing = await faceIn(picture(1));
    expect(Math.abs(laughing!.pose!.roll)).toBeLessThan(20);
    for (const other of [2, 3]) expect(await similarity(laughing!, picture(other))).toBeGreaterThan(0.75);
  });

  it('is recognised where it is small in a large picture', async () => {
    const sizes = [[1920, 1080], [2592, 1944], [3024, 4032]] as const; // biome-ignore format: one line
    let [wrong, refused, tried] = [0, 0, 0];
    for (const [i, { picture, near }] of (await people()).entries()) {
      const same = await similarity(near, await far(picture, sizes[i % sizes.length]!));
      tried++;
      if (same === undefined) refused++;
      else if (same < SAME) wrong++;
    }
    expect(tried).toBeGreaterThan(50);
    expect([wrong <= 1, refused <= 1], `${wrong} wrong, ${refused} refused of ${tried}`).toEqual([
      true,
      true,
    ]);
  });
});

const field = join(SHARED, 'review/field');

describe.skipIf(!existsSync(field))('pictures of the field', () => {
  const named = (name: string) => readFileSync(join(field, name));

  it.each([
    ['selfie-upright.jpg', 'selfie-upside-down-no-exif.jpg'],
    ['far-same-person-near.jpg', 'far-150px-face-in-3840x2160.jpg'],
  ])('%s matches %s', async (near, other) => {
    const face = await faceIn(named(near));
    expect(await similarity(face!, named(other))).toBeGreaterThan(0.9);
  });

  it('a card on its side has its face the right way up', async () => {
    const card = named('card-flat-turned-90-left-landmarks-upside-down.jpg');
    const upright = await faceIn(await sharp(card).rotate(90).jpeg().toBuffer());
    expect(await similarity(upright!, card)).toBeGreaterThan(0.9);
  });
});
