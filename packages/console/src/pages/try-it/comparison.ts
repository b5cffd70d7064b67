import { type ApiError, asApiError } from '../../api/api-error.ts';
import type { Comparison } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { keptSignal } from '../../state/kept.ts';

export type Slot = 'first' | 'second';

/** Two pictures and what their comparison answered. */
interface Compared {
  readonly pictures: Partial<Record<Slot, Picture>>;
  readonly answer?: Comparison;
  readonly error?: ApiError;
}

export const compared = keptSignal<Compared>({ pictures: {} }, ({ pictures }) =>
  releasePictures(Object.values(pictures)),
);

/** Replaces or removes a picture, and compares when both are there. */
export async function putPicture(slot: Slot, picture: Picture | undefined): Promise<void> {
  const { [slot]: previous, ...other } = compared.value.pictures;
  if (previous) releasePictures([previous]);
  const pictures: Compared['pictures'] = picture ? { ...other, [slot]: picture } : other;
  compared.value = { pictures };
  const { first, second } = pictures;
  if (!first || !second) return;
  const result = await compare(first, second);
  if (compared.value.pictures === pictures) compared.value = { pictures, ...result };
}

async function compare(first: Picture, second: Picture): Promise<Pick<Compared, 'answer' | 'error'>> {
  try {
    return { answer: await wajah.compareImages({ source_image: first.blob, target_image: second.blob }) };
  } catch (error) {
    return { error: asApiError(error) };
  }
}
