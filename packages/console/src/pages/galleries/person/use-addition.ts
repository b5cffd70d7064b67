import { useState } from 'preact/hooks';
import type { DescribedPerson } from '../../../api/types.ts';
import { wajah } from '../../../api/wajah.ts';
import { type Picture, releasePictures } from '../../../draw/picture.ts';
import { useRequest } from '../../../state/use-request.ts';
import type { Taken } from '../enrol/use-enrolment.ts';

/** What became of a picture. */
interface Outcome {
  /** Undefined: it was not added, since the face may be of somebody else. */
  readonly taken: Taken | undefined;
  /** With the person before; undefined: not compared. */
  readonly compared: { readonly similarity: number; readonly threshold: number } | undefined;
}

/** Adds a picture to a person, after it was compared with the person. */
export function useAddition(gallery: string, person: DescribedPerson, onAdded: () => void) {
  const [picture, setPicture] = useState<Picture>();
  const call = useRequest<Outcome>();
  const of = { facegallery_id: gallery, user_id: person.user_id };

  async function compare(
    image: Blob,
    signal: AbortSignal,
  ): Promise<Outcome['compared'] & { verified: boolean }> {
    const { similarity, threshold, verified } = await wajah.verifyFace({ ...of, image }, { signal });
    return { similarity, threshold, verified };
  }
  async function enrol(image: Blob, replace: boolean, signal: AbortSignal): Promise<Taken> {
    const way = replace ? { replace: true } : { append: true };
    const fields = {
      ...of,
      user_name: person.user_name,
      image,
      check_duplicate: true,
      details: true,
      ...way,
    };
    const { face, found } = await wajah.enrolFace(fields, { signal });
    return { box: face!.box, found: found! };
  }
  /** @param checked without it the picture is added whomever it shows */
  async function add(next: Picture, replace: boolean, checked: boolean): Promise<void> {
    if (picture && picture !== next) releasePictures([picture]);
    setPicture(next);
    const done = await call.run(async (signal) => {
      const compared = checked ? await compare(next.blob, signal) : undefined;
      if (compared && !compared.verified) return { taken: undefined, compared };
      return { taken: await enrol(next.blob, replace, signal), compared };
    });
    if (done?.taken) onAdded();
  }
  return { picture, outcome: call.busy ? undefined : call.answer, busy: call.busy, error: call.error, add };
}
