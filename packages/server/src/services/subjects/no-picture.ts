import { Refusal } from '../../errors.ts';

/** The field tells it from a user that is not there. */
export function noPicture(pictureId: string): Refusal {
  return new Refusal('userNotFound', `image_id: there is no picture ${pictureId} in the gallery`, {
    picture: pictureId,
  });
}
