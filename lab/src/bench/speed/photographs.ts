import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { decodeImage } from '../../../../packages/engine/dist/imaging/decode.js';
import type { Engine } from '../../../../packages/engine/dist/index.js';

export const imageLimits = { maxBytes: 64 << 20, maxPixels: 100e6 } as const;

/** As many cameras store pictures, with halved chroma. */
const CAMERA = { quality: 90 } as const;

/** Pictures of one size with one face each. */
export interface Photographs {
  readonly width: number;
  readonly height: number;
  readonly pictures: readonly Uint8Array[];
}

/**
 * Colour photographs of the split `dev` of the verification task, each with one face, fitted into width × height and
 * encoded as JPEG. @param folder of the evaluation pictures
 * @throws Error when there are fewer than `count`
 */
export async function photographs(
  engine: Engine,
  folder: string,
  count: number,
  width: number,
  height: number,
): Promise<Photographs> {
  const pictures: Uint8Array[] = [];
  for (const bytes of devPictures(folder)) {
    if (pictures.length === count) break;
    const { found } = await engine.analyze(bytes, { attributes: [], maxFaces: 1, search: 'fast' });
    if (found === 1 && (await isColour(bytes)))
      pictures.push(
        await sharp(bytes).autoOrient().resize(width, height, { fit: 'contain' }).jpeg(CAMERA).toBuffer(),
      );
  }
  if (pictures.length < count) throw new Error(`${folder} has too few colour photographs`);
  return { width, height, pictures };
}

function* devPictures(folder: string): Generator<Uint8Array> {
  const manifest = join(folder, 'verification/manifest.json');
  if (!existsSync(manifest)) throw new Error(`${manifest} is missing: name the folder with --data`);
  const entries = JSON.parse(readFileSync(manifest, 'utf8')) as { file: string; split: string }[];
  const files = entries.filter(({ split }) => split === 'dev').map(({ file }) => file);
  // The step has no factor in common with the number of files, so each is visited once.
  const step = 7919;
  for (let i = 0; i < files.length; i++) {
    yield readFileSync(join(folder, 'verification', files[(i * step) % files.length]!));
  }
}

async function isColour(bytes: Uint8Array): Promise<boolean> {
  const { pixels } = await decodeImage(bytes, imageLimits);
  let difference = 0;
  for (let at = 0; at < pixels.length; at += 3) difference += Math.abs(pixels[at]! - pixels[at + 2]!);
  return difference / (pixels.length / 3) > 5;
}
