import type { UserRequest } from '@wajah/contract';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { createPictures, type Pictures } from '../pictures/pictures.ts';
import { type EnrolledPerson, enrolledPerson } from '../recognition/enrolled-person.ts';
import { createThresholds } from '../recognition/thresholds.ts';
import type { LivenessThresholds } from './findings.ts';

/** What the liveness checks of a picture, a batch and a session share. */
export interface LivenessContext {
  readonly deps: ServiceDependencies;
  readonly pictures: Pictures;
  readonly thresholds: LivenessThresholds;
  /**
   * The user whom the pictures must show; undefined when the request names none.
   * @throws Refusal `galleryNotFound` | `userNotFound` | `denied`
   */
  personOf(caller: Caller, user: NamedUser): Promise<EnrolledPerson | undefined>;
}

/** Both fields or neither: the schemas check it. */
export type NamedUser = Partial<{ [Field in 'facegalleryId' | 'userId']: UserRequest[Field] | undefined }>;

export function createLivenessContext(deps: ServiceDependencies): LivenessContext {
  const { engine, config } = deps;
  const { verification, spoof } = createThresholds(engine, config.thresholds);
  return {
    deps,
    pictures: createPictures(engine, config.limits),
    thresholds: { verification, spoof, frontAngle: config.thresholds.frontAngle },
    async personOf(caller, { facegalleryId, userId }) {
      if (facegalleryId === undefined || userId === undefined) return undefined;
      return enrolledPerson(deps, caller, { facegalleryId, userId });
    },
  };
}
