import { decodeImage } from '../../../packages/engine/dist/imaging/decode.js';
import { type CropSize, cropOf, KEPT_CROP } from '../../../packages/engine/dist/imaging/face-crop.js';
import { type Engine, faceOfCrop } from '../../../packages/engine/dist/index.js';
import { median } from './timing.ts';

const sizes: readonly (readonly [string, CropSize])[] = [
  ['1.6 × the box', { ...KEPT_CROP, around: 1.6 }],
  ['2 ×', { ...KEPT_CROP, around: 2 }],
  ['**2.5 ×**', KEPT_CROP],
  ['3 ×', { ...KEPT_CROP, around: 3 }],
  ['2.5 ×, 384 pixels', { ...KEPT_CROP, largest: 384 }],
  ['2.5 ×, quality 85', { ...KEPT_CROP, quality: 85 }],
];

/** Most faces detected in a crop, as in `wajah reembed`. */
const maxFaces = 4;
const limits = { maxBytes: 64 << 20, maxPixels: 100e6 };

/**
 * Similarity of templates of crops to those of the whole pictures, by crop size.
 * @returns a row for each size: inner product for each engine (median / lowest, faces lost), kilobytes
 */
export async function compareCrops(
  engines: readonly Engine[],
  pictures: readonly Uint8Array[],
): Promise<string[]> {
  const rows = sizes.map(() => ({
    products: engines.map((): number[] => []),
    lost: engines.map(() => 0),
    kb: [] as number[],
  }));
  const attributes = ['embedding'] as const;
  for (const bytes of pictures) {
    const picture = await decodeImage(bytes, limits);
    const wholes = await Promise.all(
      engines.map(
        async (one) => (await one.analyze(bytes, { attributes, maxFaces: 1, search: 'fast' })).faces[0],
      ),
    );
    const box = wholes[0]?.box;
    if (!box) continue;
    for (const [at, [, size]] of sizes.entries()) {
      const row = rows[at]!;
      const crop = await cropOf(picture, box, size);
      row.kb.push(crop.jpeg.length / 1000);
      for (const [i, engine] of engines.entries()) {
        const { faces } = await engine.analyze(crop.jpeg, { attributes, maxFaces, search: 'fast' });
        const [own, whole] = [faceOfCrop(faces, crop)?.embedding, wholes[i]?.embedding];
        if (!whole) continue;
        if (own) row.products[i]!.push(own.reduce((sum, value, d) => sum + value * whole[d]!, 0));
        else row.lost[i]! += 1;
      }
    }
  }
  return rows.map(({ products, lost, kb }, at) => {
    const figures = products.map(
      (of, i) => `${of.length === 0 ? '–' : format(of)}${lost[i] ? `, ${lost[i]} lost` : ''}`,
    );
    return `| ${[sizes[at]![0], ...figures, median(kb).toFixed(0)].join(' | ')} |`;
  });
}

function format(products: readonly number[]): string {
  const four = (value: number) => value.toFixed(4).replace(/^0/, '');
  return `${four(median(products))} / ${four(Math.min(...products))}`;
}
