import { Refusal } from '../../errors.ts';
import { faceDigest, type LivenessClaims } from '../../security/tokens/liveness-tokens.ts';
import { SealError } from '../../security/vaults/sealing.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { contractText } from '../galleries/lookup.ts';
import { calibrationFor } from '../recognition/similarity-calibration.ts';
import { createThresholds, shown } from '../recognition/thresholds.ts';
import type { Caller } from '../services.ts';

type Needed = Pick<ServiceDependencies, 'store' | 'engine' | 'config' | 'sessionVault' | 'livenessTokens'>;

/** Says that somebody alive showed a face, once. */
export interface Proof {
  /**
   * Spends the proof, and holds the face that passed against this one.
   * @param field name of the picture's field
   * @throws Refusal `livenessNotProven` when it is spent already or stands for another face
   */
  spend(template: Float32Array, field: string): Promise<void>;
}

export interface LivenessProof {
  /**
   * Reads a liveness token, before any work on a picture is done. A gallery can make it compulsory.
   * @throws Refusal `livenessNotProven`
   */
  read(caller: Caller, token: string | undefined, gallery?: GalleryRecord): Promise<Proof | undefined>;
}

export function createLivenessProof(deps: Needed): LivenessProof {
  return {
    async read(caller, token, gallery) {
      if (token === undefined) {
        if (gallery?.requireLiveness)
          throw notProven('the gallery requires one; pass a liveness session first');
        return undefined;
      }
      const claims = await deps.livenessTokens.read(token);
      // A token of another client is told nothing more about.
      if (!claims || claims.clientId !== caller.clientId) {
        throw notProven('it is not genuine, or its time is over; pass a liveness session again');
      }
      return { spend: (template, field) => spend(deps, claims, template, field, gallery) };
    },
  };
}

async function spend(
  deps: Needed,
  claims: LivenessClaims,
  template: Float32Array,
  field: string,
  gallery: GalleryRecord | undefined,
): Promise<void> {
  const passed = await takeTemplate(deps, claims);
  const scale = gallery ? calibrationFor(deps.engine, gallery) : deps.engine;
  const similarity = scale.similarity(passed, template);
  const threshold = createThresholds(deps.engine, deps.config.thresholds).verification(gallery);
  if (similarity >= threshold) return;
  throw notProven(
    `the face of ${field} is not the one that passed (similarity ${shown(similarity)}, threshold ${shown(threshold)}); it is spent now, pass a liveness session again`,
  );
}

async function takeTemplate(deps: Needed, claims: LivenessClaims): Promise<Float32Array> {
  const { clientId, sessionId } = claims;
  const sealed = await deps.store.sessions.consumeTemplate(clientId, sessionId, new Date());
  if (!sealed || faceDigest(sealed) !== claims.face) {
    throw notProven('it was spent already, or its time is over; pass a liveness session again');
  }
  const contract = contractText(deps.engine.embeddingSpec);
  try {
    return deps.sessionVault.open({ clientId, sessionId, embeddingSpec: contract }, sealed);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw notProven('it was made with another model pack; pass a liveness session again');
  }
}

function notProven(why: string): Refusal {
  return new Refusal('livenessNotProven', `liveness_token: ${why}`);
}
