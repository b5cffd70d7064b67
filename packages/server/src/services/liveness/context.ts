import type { UserRequest } from '@wajah/contract';
import type { Attribute, Engine } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import type { Events } from '../../events.ts';
import { mapBounded } from '../../lib/keyed-queue.ts';
import type { FrameIndex } from '../../matching/frames/frame-index.ts';
import type { Caller } from '../caller.ts';
import { type EnrolledPerson, enrolledPerson } from '../faces/enrolled-person.ts';
import { analyzeMainFace } from '../faces/main-face.ts';
import { createPictures } from '../faces/pictures.ts';
import { createThresholds, type Thresholds } from '../galleries/thresholds.ts';

/** Both fields or neither: the schemas check it. */
type NamedUser = Partial<{ [Field in 'facegalleryId' | 'userId']: UserRequest[Field] | undefined }>;

/** What every liveness check uses, beside what analyses pictures and reads an enrolled person. */
export type LivenessDependencies = Parameters<typeof createPictures>[0] &
  Parameters<typeof enrolledPerson>[0] & {
    readonly engine: Engine;
    readonly config: Config;
    readonly events: Pick<Events, 'livenessJudged'>;
    readonly frameIndex: Pick<FrameIndex, 'findSame'>;
  };

export interface LivenessThresholds
  extends Pick<Thresholds, 'verification' | 'spoof' | 'spoofOfMean' | 'spoofVerdict' | 'countsAsSpoof'> {
  /** Degrees of yaw and pitch below which a head faces the front. */
  readonly frontAngle: number;
  /** Whether answers name the verdict on spoof: an extension that compatible answers lack. */
  readonly reportVerdict: boolean;
}

export type LivenessContext = ReturnType<typeof createLivenessContext>;

/** What the liveness checks of a picture, a batch and a session share. */
export function createLivenessContext(deps: LivenessDependencies) {
  const { engine, config, events, frameIndex } = deps;
  const pictures = createPictures(deps);
  const thresholds: LivenessThresholds = {
    ...createThresholds(engine, config.thresholds),
    frontAngle: config.thresholds.frontAngle,
    reportVerdict: !config.compat.includes('risetai'),
  };
  return {
    engine,
    config,
    events,
    frameIndex,
    pictures,
    thresholds,
    /** Analyses the main face of a picture. @throws Refusal of the picture, `busy` */
    analyze: (
      caller: Caller,
      picture: Parameters<typeof analyzeMainFace>[2],
      attributes: readonly Attribute[],
    ) => analyzeMainFace(pictures, caller, picture, attributes, config.limits.minFace),
    /** Maps pictures of one call, as many at once as there are workers, so that one call does not fill the queue. */
    mapPictures: <Item, Result>(
      items: readonly Item[],
      task: (item: Item, index: number) => Promise<Result>,
    ) => mapBounded(items, engine.load().workers, task),
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
