import { type Attributes, cutDegrees, cutFraction } from '@wajah/contract';
import type { Analysis, Face, QualityComponent } from '@wajah/engine';
import {
  pixels,
  placeOf,
  qualityFields,
  rounded,
  statesOf,
  wearsMask,
} from '../../services/faces/main-face.ts';
import type { JudgedAttributes } from '../../services/liveness/ports.ts';
import type {
  Candidate,
  Detection,
  DuplicatePage,
  Identification,
  SearchedFace,
} from '../../services/recognition/ports.ts';
import type { Scale } from '../scales.ts';
import { wire } from './wire.ts';

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

/** Faces of a hint, with angles in whole degrees: enough to move the head by, and not to tune pictures by. */
export function hintView({ image, faces }: Pick<Analysis, 'image' | 'faces'>) {
  return {
    faces: faces.map((face) => {
      const seen = { ...attributesView(statesOf(face)), ...placeOf(face) };
      const angles = (['yaw', 'pitch', 'roll'] as const).flatMap((name) => {
        const angle = (seen as Partial<Record<typeof name, number>>)[name];
        return angle === undefined ? [] : [[name, Math.trunc(angle) + 0]];
      });
      return { ...seen, ...Object.fromEntries(angles) };
    }),
    image: { width: image.width, height: image.height },
  };
}

function faceView(face: DetectedFace, landmarks: Detection['landmarks']) {
  return {
    ...statesView(face),
    ...placeOf(face),
    score: cutFraction(face.score),
    ...(landmarks === 'five' && { landmarks: fiveView(face.landmarks) }),
    ...(landmarks === 'mesh' && face.mesh && { landmarks: meshView(face.mesh) }),
    ...(face.spoof && {
      spoof_cues: face.spoof.networks.map(({ name, score }) => ({ name, score: cutFraction(score) })),
    }),
    ...(face.quality && { quality: qualityFields(face) }),
    ...(face.qualityComponents && { quality_components: face.qualityComponents.map(componentView) }),
  };
}

function statesView(face: DetectedFace) {
  const { mask, spoof, isSpoof } = face;
  return attributesView({
    ...(mask && { masker: mask.worn }),
    ...(spoof && isSpoof !== undefined && { isSpoof, spoofScore: spoof.score }),
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

/** The people of a picture; with its faces when the call asks for several. */
export function identifiedView(identification: Identification, scale: Scale) {
  const { people, faces, found, threshold, own, several, withBelow } = identification;
  const candidate = (one: Candidate) => candidateView({ ...one, confidence: scale.of(one.confidence, own) });
  return {
    status_description: 'Face Recognition Success',
    return: people.map(candidate),
    ...(several && {
      faces: faces.map((face) => searchedView(face, withBelow, candidate)),
      found,
      threshold,
    }),
  };
}

function searchedView(
  { face, outcome, candidates, below }: SearchedFace,
  withBelow: boolean,
  candidate: (one: Candidate) => ReturnType<typeof candidateView>,
) {
  const measured = { ...placeOf(face), quality: qualityFields(face), mask: wearsMask(face) };
  const further = withBelow && { below: below.map(candidate) };
  return { ...measured, outcome, candidates: candidates.map(candidate), ...further };
}

function candidateView({ userId, userName, confidence, mask }: Candidate) {
  return { confidence_level: cutFraction(confidence), mask, user_id: userId, user_name: userName };
}

export function duplicatesView({ pairs, facts, compared, ...page }: DuplicatePage) {
  const { cursor, complete, progress, people, threshold } = page;
  return {
    pairs: pairs.map(({ users, similarity, falseMatchRate, score }) => ({
      users: wire(users),
      similarity: cutFraction(similarity),
      false_match_rate: twoDigits(falseMatchRate),
      score: Number(score.toFixed(4)),
    })),
    cursor,
    complete,
    people,
    threshold,
    progress: cutFraction(progress),
    people_compared: compared,
    false_match_rate: twoDigits(page.falseMatchRate),
    expected_false_pairs: twoDigits(page.expectedFalsePairs),
    ...facts,
  };
}

/** Rates have a meaning to their first digits only. */
const twoDigits = (value: number) => Number(value.toPrecision(2));

const angles: ReadonlySet<string> = new Set(['roll', 'pitch', 'yaw'] satisfies (keyof Attributes)[]);
const fractions: ReadonlySet<string> = new Set([
  'similarity',
  'spoofScore',
  'left_eye_score',
  'right_eye_score',
  'mouth_score',
] satisfies (keyof JudgedAttributes)[]);

const spoofNames = { isSpoof: 'is_spoof', spoofScore: 'spoof_score', spoofVerdict: 'spoof_verdict' } as const;

/** Attributes in the names of the wire, their numbers cut to its decimals. @param shown as answers state a similarity */
export function attributesView<Entry extends JudgedAttributes>(
  entry: Entry,
  shown: (similarity: number) => number = (similarity) => similarity,
) {
  const cut = Object.entries(entry).map(([name, value]) => [
    spoofNames[name as keyof typeof spoofNames] ?? name,
    name === 'similarity' ? cutFraction(shown(value as number)) : cutValue(name, value),
  ]);
  return Object.fromEntries(cut) as Omit<Entry, keyof typeof spoofNames> & Attributes;
}

function cutValue(name: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  if (angles.has(name)) return cutDegrees(value);
  return fractions.has(name) ? cutFraction(value) : value;
}
