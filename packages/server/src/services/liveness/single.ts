import type { LivenessRequest } from '@wajah/contract';
import type { Attribute } from '@wajah/engine';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { analyzeMainFace } from '../pictures/main-face.ts';
import { imageField } from '../pictures/pictures.ts';
import { createBatch } from './batch.ts';
import { createLivenessContext, type LivenessContext } from './context.ts';
import { allHold, attributesOf, confidenceOf, failuresOf, findingsOf } from './findings.ts';

export type LivenessService = ReturnType<typeof createLivenessService>;

/** Judges whether pictures show a bona fide presentation with the requested head pose, eyes and mouth. */
export function createLivenessService(deps: ServiceDependencies) {
  const context = createLivenessContext(deps);
  return { single: createSingle(context), batch: createBatch(context) };
}

/** A single call reports all attributes of the face, whatever the request requires. */
const allAttributes = ['mask', 'pose', 'eyes', 'mouth'] as const satisfies readonly Attribute[];

function createSingle({ deps, pictures, thresholds, personOf }: LivenessContext) {
  return async (caller: Caller, request: LivenessRequest) => {
    const { spoofDetection = true, ...states } = request.faceParameters;
    const person = await personOf(caller, request);
    const attributes: Attribute[] = [...allAttributes];
    if (spoofDetection) attributes.push('spoof');
    if (person) attributes.push('embedding');
    const picture = { field: imageField, bytes: pictures.decode(imageField, request.image) };
    const { minFace } = deps.config.limits;
    const { face, analysis } = await analyzeMainFace(pictures, caller, picture, attributes, minFace);

    const findings = findingsOf(face, { ...states, spoofDetection, person }, thresholds);
    const { verified, real, angle, eyes, mouth } = findings;
    const passed = allHold(findings);
    const judged = { passed, images: 1, verification: person !== undefined, found: analysis.found };
    const facts = { way: 'single', ...judged, ...person?.facts } as const;
    const reasons = [...new Set(failuresOf(findings))];
    const about = { galleryId: request.facegalleryId, userId: request.userId };
    await deps.events.livenessJudged(caller, facts, reasons, about);
    return {
      liveness: passed ? ('passed' as const) : ('failed' as const),
      confidence: confidenceOf(findings),
      verified: verified?.holds,
      matchStatus: {
        ...(verified && { verified: verified.holds }),
        ...(real && { is_real: real.holds }),
        ...(angle && { angle: angle.holds }),
        ...(eyes && { eyes: eyes.holds }),
        ...(mouth && { mouth: mouth.holds }),
      },
      results: attributesOf(face, findings),
    };
  };
}
