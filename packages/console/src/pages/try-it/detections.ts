import { computed } from '@preact/signals';
import { calls, type DetectFacesRequest } from '@wajah/client';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import type { Detection } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { keptSignal } from '../../state/kept.ts';
import type { SentCall } from '../../ui/call/call-text.ts';

/** A picture with its detection or its error; with neither while it is sent. */
export interface PictureEntry {
  readonly picture: Picture;
  readonly detection?: Detection;
  readonly error?: ApiError;
}

const options = { landmarks: 'mesh' } as const satisfies Partial<DetectFacesRequest>;

export const entries = keptSignal<readonly PictureEntry[]>([], (dropped) =>
  releasePictures(dropped.map(({ picture }) => picture)),
);
const chosenPicture = keptSignal<Picture | undefined>(undefined);

/** The picture that is shown. */
export const shownEntry = computed(
  () => entries.value.find(({ picture }) => picture === chosenPicture.value) ?? entries.value.at(-1),
);

export function choosePicture(picture: Picture): void {
  chosenPicture.value = picture;
}

/** Adds pictures, shows the first of them and detects their faces, one after another. */
export async function addPictures(pictures: readonly Picture[]): Promise<void> {
  chosenPicture.value = pictures[0];
  entries.value = [...entries.value, ...pictures.map((picture) => ({ picture }))];
  for (const picture of pictures) await detect(picture);
}

/** Detects the faces of a picture of the list, again after an error. */
export async function detect(picture: Picture): Promise<void> {
  const replace = (entry: PictureEntry) => {
    entries.value = entries.value.map((one) => (one.picture === picture ? entry : one));
  };
  if (!entries.value.some((one) => one.picture === picture)) return;
  replace({ picture });
  try {
    replace({ picture, detection: await wajah.detectFaces({ image: picture.blob, ...options }) });
  } catch (error) {
    replace({ picture, error: asApiError(error) });
  }
}

export function removePicture(picture: Picture): void {
  entries.value = entries.value.filter((one) => one.picture !== picture);
  releasePictures([picture]);
}

/** The call that detected the faces of a picture. */
export function callOf(picture: Picture, answer: Detection): SentCall {
  return { path: calls.detectFaces.path, fields: { image: picture, ...options }, answer };
}
