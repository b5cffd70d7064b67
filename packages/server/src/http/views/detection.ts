import { cutFraction } from '@wajah/contract';
import type { Face, QualityComponent } from '@wajah/engine';
import { pixels, placeOf, qualityFields, rounded, statesOf } from '../../services/faces/main-face.ts';
import type { Detection } from '../../services/recognition/detection.ts';
import { attributesView } from './attributes.ts';

type DetectedFace = Detection['faces'][number];

/** The faces of a picture, in the names of the wire. */
export function detectedView({ image, faces, found, landmarks, spoofThreshold }: Detection) {
  return {
    faces: faces.map((face) => faceView(face, landmarks)),
    found,
    image: { width: image.width, height: image.height },
    ...(spoofThreshold !== undefined && { spoof_threshold: spoofThreshold }),
  };
}

function faceView(face: DetectedFace, landmarks: Detection['landmarks']) {
  return {
    ...statesView(face),
    ...placeOf(face),
    score: cutFraction(face.score),
    ...(landmarks === 'five' && { landmarks: fiveView(face.landmarks) }),
    ...(landmarks === 'mesh' && face.mesh && { landmarks: meshView(face.mesh) }),
    ...(face.spoof?.signals && {
      spoof_cues: face.spoof.signals.map(({ name, score }) => ({ name, score: cutFraction(score) })),
    }),
    ...(face.quality && { quality: qualityFields(face) }),
    ...(face.qualityComponents && { quality_components: face.qualityComponents.map(componentView) }),
  };
}

function statesView(face: DetectedFace) {
  const { mask, spoof, isSpoof } = face;
  return attributesView({
    ...(mask && { masker: mask.worn }),
    ...(spoof && isSpoof !== undefined && { is_spoof: isSpoof, spoof_score: spoof.score }),
    ...statesOf(face),
  });
}

function fiveView([rightEye, leftEye, nose, mouthRight, mouthLeft]: Face['landmarks']) {
  const [left_eye, right_eye] = [point(leftEye), point(rightEye)];
  return {
    left_eye,
    right_eye,
    nose: point(nose),
    mouth_left: point(mouthLeft),
    mouth_right: point(mouthRight),
  };
}

function meshView(mesh: Float32Array): [number, number, number][] {
  return Array.from({ length: mesh.length / 3 }, (_, at) => {
    const [x = 0, y = 0, z = 0] = mesh.subarray(3 * at, 3 * at + 3);
    return [pixels(x), pixels(y), pixels(z)];
  });
}

function componentView({ name, native, score }: QualityComponent) {
  return { name, native: rounded(native), score };
}

function point({ x, y }: Face['landmarks'][number]) {
  return { x: pixels(x), y: pixels(y) };
}
