import type { UserRequest } from '@wajah/contract';
import type { Attribute, Face } from '@wajah/engine';
import type { Caller } from '../caller.ts';
import { analyzeMainFace } from '../faces/main-face.ts';
import type { PictureError, Pictures } from '../faces/ports.ts';
import type { Comparisons, EnrolledPerson } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';

/** Both fields or neither: the schemas check it. */
type NamedUser = Partial<{ [Field in 'facegalleryId' | 'userId']: UserRequest[Field] | undefined }>;

/** What every liveness check uses. */
export interface LivenessDependencies extends ServiceParts<'engine' | 'config' | 'events'> {
  readonly pictures: Pictures;
  readonly comparisons: Comparisons;
}

export type LivenessContext = ReturnType<typeof createLivenessContext>;

/** What the liveness checks of a picture, a batch and a session share. */
export function createLivenessContext(deps: LivenessDependencies) {
  const { engine, config, events, pictures, comparisons } = deps;
  const thresholds = {
    ...comparisons.thresholds,
    reportVerdict: !config.compat.includes('risetai'),
  };
  return {
    engine,
    config,
    events,
    pictures,
    thresholds,
    /** Analyses the main face of a picture. @throws Refusal of the picture, `busy` */
    analyze: (
      caller: Caller,
      picture: Parameters<typeof analyzeMainFace>[2],
      attributes: readonly Attribute[],
    ) => analyzeMainFace(pictures, caller, picture, attributes, config.limits.minFace),
    /**
     * The user whom the pictures must show; undefined when the request names none.
     * @throws Refusal `galleryNotFound` | `userNotFound` | `denied`
     */
    async personOf(
      caller: Caller,
      { facegalleryId, userId }: NamedUser,
    ): Promise<EnrolledPerson | undefined> {
      if (facegalleryId === undefined || userId === undefined) return undefined;
      return comparisons.person(caller, { facegalleryId, userId });
    },
  };
}

/** The face of a frame. */
export interface JudgedFace {
  readonly face: Face;
  /** Number of faces in the frame. */
  readonly found: number;
}

/** A submitted frame after its analysis. */
export interface AnalyzedFrame {
  readonly name: string;
  /** SHA-256 of the picture's bytes; empty when they could not be decoded. */
  readonly digest: Buffer;
  readonly result: JudgedFace | { readonly error: PictureError };
}
