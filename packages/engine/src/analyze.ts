import { cropOf } from './imaging/face-crop.ts';
import { measurePadSignals } from './pad/evidence.ts';
import { signalsInUse, spoofScore } from './pad/fusion.ts';
import { createPadFace } from './pad/signal.ts';
import { type DecodedFaces, decodeAndFind } from './stages/detection/decode-and-find.ts';
import type { FoundFace } from './stages/detection/find-faces.ts';
import { averagedMesh, poseMeshOf } from './stages/mesh/averaged-mesh.ts';
import { landmarksOf } from './stages/mesh/landmarks.ts';
import { poseOf } from './stages/mesh/pose.ts';
import { skinOf } from './stages/mesh/skin.ts';
import type { Models } from './stages/model.ts';
import { perceptualHashOf } from './stages/perceptual-hash.ts';
import { type QualityInput, qualityCrop, qualityOf } from './stages/quality.ts';
import { estimateEyes, measureEyes } from './stages/states/eyes.ts';
import { MASK_THRESHOLD, maskScore } from './stages/states/mask.ts';
import { estimateMouth, measureMouth, mouthOdds } from './stages/states/mouth.ts';
import { type FaceVectors, faceVectors } from './stages/template/evidence.ts';
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
  const look = await decodeAndFind(models, image, request.search, limits);
  const { width, height, format } = look.picture;
  const faces: Face[] = [];
  for (const found of look.faces.slice(0, request.maxFaces)) {
    faces.push(await measure(models, look, found, request.attributes));
  }
  return { image: { width, height, format }, faces, found: look.faces.length };
}

async function measure(
  models: Models,
  look: DecodedFaces,
  found: FoundFace,
  attributes: readonly Attribute[],
): Promise<Face> {
  const { mesh, box, detection } = found;
  const wants = (...any: Attribute[]) => any.some((attribute) => attributes.includes(attribute));
  // What two attributes share is computed once.
  const quiet = wants('eyes', 'mouth', 'mesh')
    ? await averagedMesh(models.mesh, look.from, found)
    : undefined;
  const shape = quiet?.shape ?? mesh;
  const tight = async () => quiet?.poseMesh ?? poseMeshOf(models.mesh, look.from, found);
  const pose = wants('pose', 'quality') ? poseOf(await tight()) : undefined;
  const evidence = faceVectors(models, look.from, mesh);
  const mask = wants('mask', 'mouth') ? await maskOf(evidence) : undefined;
  return {
    box,
    score: detection.score,
    meshScore: mesh.score,
    landmarks: landmarksOf(mesh),
    ...(wants('embedding') && { embedding: await evidence.template() }),
    ...(wants('pose') && { pose: pose! }),
    ...(wants('eyes') && { eyes: estimateEyes(await measureEyes(models.iris, look.from, shape)) }),
    ...(wants('mouth') && { mouth: estimateMouth(mouthOdds(measureMouth(look.from, shape)), mask!) }),
    ...(wants('mask') && { mask: mask! }),
    ...(wants('spoof') && { spoof: await spoofOf(models, look, found) }),
    ...(wants('quality') && { quality: qualityOf(qualityEvidence(look, found, pose!)) }),
    ...(wants('mesh') && { mesh: shape.points }),
    ...(wants('perceptualHash') && { perceptualHash: perceptualHashOf(look.from, mesh) }),
    ...(wants('skin') && { skin: skinOf(look.from, mesh) }),
    ...(wants('crop') && { crop: await cropOf(look.picture, box) }),
  };
}

async function maskOf({ features }: FaceVectors) {
  const score = maskScore(await features());
  return { worn: score >= MASK_THRESHOLD, score };
}

async function spoofOf(models: Models, { picture, from }: DecodedFaces, found: FoundFace) {
  const pixels = { data: picture.pixels, width: picture.keptWidth, height: picture.keptHeight };
  const face = createPadFace(models, from, pixels, found.box);
  return spoofScore(await measurePadSignals(signalsInUse(models.padNetworks !== null), face));
}

function qualityEvidence(look: DecodedFaces, { box, mesh }: FoundFace, pose: Pose): QualityInput {
  const { width, height } = look.picture;
  return { box, pose, width, height, aligned: qualityCrop(look.from, mesh) };
}
