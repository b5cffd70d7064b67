import { innerProduct, upgradeFrom } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { faceDigest, type LivenessClaims } from '../../security/tokens/liveness-tokens.ts';
import { SealError } from '../../security/vaults/sealing.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { embeddingSpecText } from '../galleries/embedding-spec.ts';
import { galleryScores } from '../galleries/scores.ts';
import { createThresholds } from '../galleries/thresholds.ts';

type Dependencies = Pick<
  ServiceDependencies,
  'store' | 'engine' | 'config' | 'vault' | 'cohorts' | 'sessionVault' | 'livenessTokens'
>;

export type LivenessProof = ReturnType<typeof createLivenessProof>;

/** Reads and spends liveness tokens. */
export function createLivenessProof(deps: Dependencies) {
  return {
    /**
     * Checks a liveness token before the picture is analysed.
     * @param gallery may require a token
     * @returns `spend`, which spends the token and compares its face with a template; undefined without a token
     * @throws Refusal `livenessNotProven`; `spend` throws it too, when the token is spent or its face does not match
     */
    async read(caller: Caller, token: string | undefined, gallery?: GalleryRecord) {
      if (token === undefined) {
        if (gallery?.requireLiveness) throw new Refusal('livenessTokenMissing');
        return undefined;
      }
      const claims = await deps.livenessTokens.read(token);
      // The same refusal for a token of another client.
      if (!claims || claims.clientId !== caller.clientId) {
        throw new Refusal('livenessTokenInvalid');
      }
      return {
        /** @param field name of the picture that the template is of */
        spend: (template: Float32Array, field: string) => spend(deps, claims, template, field, gallery),
      };
    },
  };
}

async function spend(
  deps: Dependencies,
  claims: LivenessClaims,
  template: Float32Array,
  field: string,
  gallery: GalleryRecord | undefined,
): Promise<void> {
  const passed = await takeTemplate(deps, claims);
  const similarity = gallery
    ? similarityIn(deps, gallery, passed, template)
    : deps.engine.comparisonSimilarity(passed, template);
  const threshold = createThresholds(deps.engine, deps.config.thresholds).verification(gallery);
  if (similarity >= threshold) return;
  throw new Refusal('livenessTokenOfOtherFace', { field, similarity, threshold });
}

/** An impostor is somebody of the gallery, so that similarities are those of the gallery. */
function similarityIn(
  deps: Dependencies,
  gallery: GalleryRecord,
  passed: Float32Array,
  template: Float32Array,
): number {
  const { query, similarityOf } = galleryScores(deps, gallery).probe(passed);
  return similarityOf(innerProduct(query, template));
}

async function takeTemplate(deps: Dependencies, claims: LivenessClaims): Promise<Float32Array> {
  const { clientId, sessionId } = claims;
  const sealed = await deps.store.sessions.consumeTemplate(clientId, sessionId, new Date());
  if (!sealed || faceDigest(sealed) !== claims.face) {
    throw new Refusal('livenessTokenSpent');
  }
  const { embeddingSpec: own, upgrades } = deps.engine;
  for (const spec of [own, ...upgrades.map(({ from }) => from)]) {
    try {
      const template = deps.sessionVault.open(
        { clientId, sessionId, embeddingSpec: embeddingSpecText(spec) },
        sealed,
      );
      return upgradeFrom(deps.engine, spec)?.(template) ?? template;
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
    }
  }
  throw new Refusal('livenessTokenOfOtherPack');
}
