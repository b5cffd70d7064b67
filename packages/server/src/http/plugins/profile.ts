import type { FastifyInstance } from 'fastify';
import { importOptional, type Refusal } from '../../errors.ts';
import type {
  Admission,
  FaceService,
  FaceWriter,
  LivenessProof,
  PictureIds,
  Pictures,
} from '../../services/faces/ports.ts';
import type { Comparisons } from '../../services/galleries/ports.ts';
import type { ServiceParts } from '../../services/parts.ts';
import type { CallAdmission, Identify } from './auth.ts';

/** What a profile makes its own services of. */
export interface ProfileParts extends ServiceParts<'store' | 'vault' | 'config' | 'events'> {
  readonly pictures: Pictures;
  readonly comparisons: Comparisons;
  readonly admission: Admission;
  readonly liveness: LivenessProof;
  readonly writer: FaceWriter;
  readonly pictureIds: PictureIds;
}

/** What a profile is made from. */
export interface ProfileOptions {
  readonly services: CallAdmission & { readonly faces: FaceService; readonly parts: ProfileParts };
  readonly identify: Identify;
  /** Of the largest picture. */
  readonly imageBytes: number;
}

/** The interface of another service, for its clients. */
export interface Profile {
  /** Registers its routes, below its prefix. Its form of refusals is that of these routes only. */
  routes(app: FastifyInstance, options: ProfileOptions): Promise<void>;
  /** The body of the refusal of a request that reaches no route. */
  refusalBody(refusal: Refusal): object;
}

/** Loads the profile `compreface`. @throws OperatorError when its package is not installed */
export async function loadProfile(name = '@wajah/compreface'): Promise<Profile> {
  const missing = `WAJAH_COMPAT: compreface needs the package ${name}, which is not installed; install it beside @wajah/server, or leave compreface out`;
  return ((await importOptional(name, missing)) as { readonly profile: Profile }).profile;
}
