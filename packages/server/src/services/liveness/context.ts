import type { UserRequest } from '@wajah/contract';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { createPictures } from '../pictures/pictures.ts';
import { type EnrolledPerson, enrolledPerson } from '../recognition/enrolled-person.ts';
import { createThresholds } from '../recognition/thresholds.ts';
import type { LivenessThresholds } from './findings.ts';

/** Both fields or neither: the schemas check it. */
export type NamedUser = Partial<{ [Field in 'facegalleryId' | 'userId']: UserRequest[Field] | undefined }>;

export type LivenessContext = ReturnType<typeof createLivenessContext>;

/** What the liveness checks of a picture, a batch and a session share. */
export function createLivenessContext(deps: ServiceDependencies) {
  const { engine, config } = deps;
  const thresholds: LivenessThresholds = {
    ...createThresholds(engine, config.thresholds),
    frontAngle: config.thresholds.frontAngle,
    reportVerdict: !config.compat.includes('risetai'),
  };
  return {
    deps,
    pictures: createPictures(deps),
    thresholds,
    /**
     * The user whom the pictures must show; undefined when the request names none.
     * @throws Refusal `galleryNotFound` | `userNotFound` | `denied`
     */
    async personOf(
      caller: Caller,
      { facegalleryId, userId }: NamedUser,
    ): Promise<EnrolledPerson | undefined> {
      if (facegalleryId === undefined || userId === undefined) return undefined;
      return enrolledPerson(deps, caller, { facegalleryId, userId });
    },
  };
}
