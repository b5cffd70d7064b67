import { landmarksOf } from './landmarks.ts';
import { type Look, lookAt } from './look.ts';
import type { FoundFace } from './search.ts';
import { align } from './stages/align.ts';
import { embed } from './stages/embed.ts';
import { judgeEyes, measureEyes } from './stages/eyes.ts';
import { featuresOf } from './stages/features.ts';
import { fingerprintOf } from './stages/fingerprint.ts';
import { MASK_THRESHOLD, maskScore } from './stages/mask.ts';
import type { Models } from './stages/model.ts';
import { judgeMouth, mouthOpenness } from './stages/mouth.ts';
import { poseOf } from './stages/pose.ts';
import { QUALITY_SIDE, type QualityEvidence, qualityOf } from './stages/quality.ts';
import { spoofScore } from './stages/spoof.ts';
import type { Analysis, AnalyzeRequest, Attribute, Face, ImageLimits, Pose } from './types.ts';

/**
 * Everything about one picture, in order: decode, search, then for each face only what was asked for.
 * @throws EngineError `imageType` | `imageBroken`
 */
export async function analyze(
  models: Models,
  image: Uint8Array,
  request: AnalyzeRequest,
  limits: ImageLimits,
): Promise<Analysis> {
  const look = await lookAt(models, image, request.search, limits);
  const { width, height, format } = look.picture;
  const faces: Face[] = [];
  for (const found of look.faces.slice(0, request.maxFaces)) {
    faces.push(await measure(models, look, found, request.want));
  }
  return { image: { width, height, format }, faces, found: look.faces.length };
}

async function measure(
  models: Models,
  look: Look,
  found: FoundFace,
  want: readonly Attribute[],
): Promise<Face> {
  const { mesh, box, detection } = found;
  const wants = (...any: Attribute[]) => any.some((attribute) => want.includes(attribute));
  // What two attributes share is computed once.
  const pose = wants('pose', 'quality') ? poseOf(mesh) : undefined;
  const mask = wants('mask', 'mouth') ? await maskOf(models, look, found) : undefined;
  return {
    box,
    score: detection.score,
    meshScore: mesh.score,
    landmarks: landmarksOf(mesh),
    ...(wants('embedding') && {
      embedding: await embed(models.embedder, align(look.from, mesh, models.embedder)),
    }),
    ...(wants('pose') && { pose: pose! }),
    ...(wants('eyes') && { eyes: judgeEyes(await measureEyes(models.iris, look.from, mesh)) }),
    ...(wants('mouth') && { mouth: judgeMouth(mouthOpenness(mesh), mask!) }),
    ...(wants('mask') && { mask: mask! }),
    ...(wants('spoof') && { spoof: spoofOf(look, found) }),
    ...(wants('quality') && { quality: qualityOf(evidenceOf(models, look, found, pose!)) }),
    ...(wants('mesh') && { mesh: mesh.points }),
    ...(wants('fingerprint') && { fingerprint: fingerprintOf(look.from, mesh) }),
  };
}

async function maskOf(models: Models, { from }: Look, { mesh }: FoundFace) {
  const score = maskScore(await featuresOf(models.features, align(from, mesh, models.features)));
  return { worn: score >= MASK_THRESHOLD, score };
}

/** The spoof measure reads the kept pixels, so the box goes to their scale. */
function spoofOf({ picture }: Look, { box }: FoundFace) {
  const { pixels, keptWidth, keptHeight, scale } = picture;
  return spoofScore(
    { data: pixels, width: keptWidth, height: keptHeight },
    { x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale },
  );
}

function evidenceOf(models: Models, look: Look, { box, mesh }: FoundFace, pose: Pose): QualityEvidence {
  const { width, height } = look.picture;
  return { box, pose, width, height, aligned: align(look.from, mesh, models.features, QUALITY_SIDE) };
}
