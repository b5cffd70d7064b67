import type { FastifyInstance } from 'fastify';
import { importOptional, type Refusal } from '../../errors.ts';
import type { CropParts, EnrolmentParts } from '../../services/faces/parts.ts';
import type { FaceService } from '../../services/faces/ports.ts';
import type { CallAdmission, Identify } from './auth.ts';

/** What a profile makes its own services of. */
export type ProfileParts = EnrolmentParts & CropParts;

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
