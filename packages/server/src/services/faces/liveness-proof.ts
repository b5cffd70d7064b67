import { innerProduct } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { faceDigest, type LivenessClaims } from '../../security/tokens/liveness-tokens.ts';
import { SealError } from '../../security/vaults/sealing.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import { embeddingSpecText } from '../galleries/embedding-spec.ts';
import type { Comparisons } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';
import type { LivenessProof } from './ports.ts';

interface Parts extends ServiceParts<'store' | 'sessionVault' | 'livenessTokens'> {
  readonly comparisons: Comparisons;
}

/** Reads and spends liveness tokens. */
export function createLivenessProof(parts: Parts): LivenessProof {
  return {
    async read(caller, token, gallery) {
      if (token === undefined) {
        if (gallery?.requireLiveness) throw new Refusal('livenessTokenMissing');
        return undefined;
      }
      const claims = await parts.livenessTokens.read(token);
      // The same refusal for a token of another client.
      if (!claims || claims.clientId !== caller.clientId) {
        throw new Refusal('livenessTokenInvalid');
      }
      return {
        frame: () => keptFrame(parts, claims),
        spend: (templates, field) => spend(parts, claims, templates, field, gallery),
      };
    },
  };
}

async function keptFrame(
  { store, sessionVault }: Parts,
  { clientId, sessionId }: LivenessClaims,
): Promise<Uint8Array> {
  const sealed = (await store.sessions.passedParts(clientId, sessionId, new Date()))?.frame;
  if (!sealed) throw new Refusal('noSessionFrame');
  return sessionVault.openFrame(clientId, sessionId, sealed);
}

async function spend(
  parts: Parts,
  claims: LivenessClaims,
  templates: readonly Float32Array[],
  field: string,
  gallery: GalleryRecord | undefined,
): Promise<void> {
  const passed = await takeTemplate(parts, claims);
  const { engine, thresholds } = parts.comparisons;
  const similarities = templates.map((template) =>
    gallery ? similarityIn(parts, gallery, passed, template) : engine.comparisonSimilarity(passed, template),
  );
  const similarity = Math.min(...similarities);
  const threshold = thresholds.verification(gallery);
  if (similarity >= threshold) return;
  throw new Refusal('livenessTokenOfOtherFace', { field, similarity, threshold });
}

/** An impostor is somebody of the gallery, so that similarities are those of the gallery. */
function similarityIn(
  parts: Parts,
  gallery: GalleryRecord,
  passed: Float32Array,
  template: Float32Array,
): number {
  const { query, similarityOf } = parts.comparisons.scores(gallery).probe(passed);
  return similarityOf(innerProduct(query, template));
}

async function takeTemplate(parts: Parts, claims: LivenessClaims): Promise<Float32Array> {
  const { clientId, sessionId } = claims;
  const sealed = await parts.store.sessions.consumeTemplate(clientId, sessionId, new Date());
  if (!sealed || faceDigest(sealed) !== claims.face) {
    throw new Refusal('livenessTokenSpent');
  }
  const embeddingSpec = embeddingSpecText(parts.comparisons.engine.embeddingSpec);
  try {
    return parts.sessionVault.open({ clientId, sessionId, embeddingSpec }, sealed);
  } catch (error) {
    if (error instanceof SealError) throw new Refusal('livenessTokenOfOtherPack');
    throw error;
  }
}
