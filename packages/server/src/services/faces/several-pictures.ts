import { cutFraction, type Picture } from '@wajah/contract';
import { type Comparer, type Face, innerProduct } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { meanOf } from '../../security/vaults/template-vault.ts';
import { type AnalyzedFace, describeFace, requireClear, templateOf } from './main-face.ts';
import { imageField, pictureError } from './pictures.ts';
import type { LeftOut, PictureField, Pictures } from './ports.ts';

/**
 * Similarity below which two pictures show different people: far below the threshold of verification, because series have
 * turned heads and closed eyes. On the `dev` pictures, which were taken on different days, 3 of 1,980 genuine pairs of
 * clear ones fall below, and 2.4 % of all impostor pairs reach it, by whole templates and by those of one crop.
 */
export const samePersonLimit = 0.45;

interface Parts {
  readonly pictures: Pictures;
  readonly comparisons: { readonly engine: Comparer };
}

/** What a call has of a person: one picture, or several. */
interface Sent {
  readonly image?: Picture | undefined;
  readonly images?: readonly Picture[] | undefined;
  /** Pictures that show too little are not left out. */
  readonly forceRegister?: boolean | undefined;
}

/** The person of a call. Of several pictures: the first that is used, with the template of all. */
export type SeenPerson<Seen extends AnalyzedFace> = Seen & {
  /** Name of the field, for refusals. */
  readonly field: string;
  /** The faces that are used. */
  readonly used: readonly Face[];
  readonly leftOut: readonly LeftOut[];
};

/**
 * Looks at the picture of a call, or at several of one person. Of several, those that `look` refuses and those that show
 * too little are left out, and the template is the mean of the others.
 * @param look finds the main face of a picture, with `embedding` and `unclear`
 * @param miss further fields of the refusal of different people
 * @throws Refusal of the picture; of several that of the first, if all are left out, or `picturesDiffer`
 */
export async function lookAtPerson<Seen extends AnalyzedFace>(
  { pictures, comparisons: { engine } }: Parts,
  { image = '', images, forceRegister = false }: Sent,
  look: (field: PictureField, picture: Picture) => Promise<Seen>,
  miss: object = {},
): Promise<SeenPerson<Seen>> {
  if (!images) {
    const seen = await look(imageField, image);
    return { ...seen, field: imageField.name, used: [seen.face], leftOut: [] };
  }
  const looks = await pictures.map(images, async (picture, index) => {
    const field: PictureField = { kind: 'image', name: `images[${index}]` };
    try {
      const seen = await look(field, picture);
      if (!forceRegister) requireClear(seen.face, describeFace(seen.analysis, field.name));
      return { index, seen };
    } catch (error) {
      return { index, refusal: error, error: pictureError(error) };
    }
  });
  const clear = looks.flatMap((one) => (one.seen ? [{ index: one.index, seen: one.seen }] : []));
  const [first] = clear;
  if (!first) throw looks[0]?.refusal;
  const used = clear.map(({ seen: { face } }) => face);
  requireOnePerson(
    engine,
    clear.map(({ index, seen: { face } }) => ({ index, template: templateOf(face) })),
    miss,
  );
  const kept = used.find(({ quality }) => quality?.every(({ passed }) => passed)) ?? first.seen.face;
  const face = withViewOf(kept, { ...first.seen.face, embedding: unitMean(used.map(templateOf)) });
  const found = Math.max(...clear.map(({ seen }) => seen.analysis.found));
  const analysis = { ...first.seen.analysis, found, faces: [face] };
  const leftOut = looks.flatMap(({ index, error }) => (error ? [{ index, error }] : []));
  return { ...first.seen, face, analysis, field: 'images', used, leftOut };
}

/** What features keep of a person, quality and crop, is of the first picture that fails no quality rule. */
function withViewOf({ quality, crop }: Face, face: Face): Face {
  return { ...face, ...(quality && { quality }), ...(crop && { crop }) };
}

/** Left-out pictures in the names of the wire. */
export function leftOutFields(leftOut: readonly LeftOut[]) {
  return leftOut.length > 0 ? { left_out: [...leftOut] } : {};
}

/** @throws Refusal `picturesDiffer`, naming the two that are the least alike */
function requireOnePerson(
  engine: Comparer,
  looks: readonly { readonly index: number; readonly template: Float32Array }[],
  miss: object,
): void {
  const pairs = looks.flatMap((one, at) =>
    looks.slice(at + 1).map((other) => ({
      first: one.index,
      second: other.index,
      similarity: engine.similarity(one.template, other.template),
    })),
  );
  const [least] = pairs.sort((a, b) => a.similarity - b.similarity);
  if (!least || least.similarity >= samePersonLimit) return;
  const compared = { similarity: cutFraction(least.similarity), threshold: samePersonLimit };
  throw new Refusal('picturesDiffer', { ...least, limit: samePersonLimit }, { ...miss, ...compared });
}

function unitMean(templates: readonly Float32Array[]): Float32Array {
  const mean = meanOf(templates);
  const length = Math.sqrt(innerProduct(mean, mean));
  return mean.map((value) => value / length);
}
