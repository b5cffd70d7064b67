import { type Attributes, cutDegrees, cutFraction, type detectable, type endpoints } from '@wajah/contract';
import type { Attribute, Face } from '@wajah/engine';
import type { z } from 'zod';
import {
  among,
  pixels,
  placeOf,
  qualityFields,
  statesOf,
  wearsMask,
} from '../../services/faces/main-face.ts';
import { leftOutFields } from '../../services/faces/several-pictures.ts';
import type { Hint, JudgedAttributes } from '../../services/liveness/ports.ts';
import type { Candidate, Detection, Identification, SearchedFace } from '../../services/recognition/ports.ts';
import type { Scale } from '../scales.ts';

type DetectedFace = Detection['faces'][number];
type FaceFields = z.input<(typeof endpoints.detectFaces)['answer']>['faces'][number];

/** What a detected face says of an attribute. */
type FieldsOf<Name extends Attribute> = (
  value: Required<Face>[Name],
  face: DetectedFace,
) => Partial<FaceFields>;

/** Of each attribute of the engine; null: it is for the server's own comparisons and checks. */
const attributeFields: {
  readonly [Name in Attribute]: FieldsOf<Name> | (Name extends (typeof detectable)[number] ? never : null);
} = {
  mask: ({ worn }) => ({ masker: worn }),
  spoof: ({ score, networks }, { isSpoof = true }) => ({
    ...attributesView({ isSpoof, spoofScore: score }),
    spoof_cues: networks.map((network) => ({ name: network.name, score: cutFraction(network.score) })),
  }),
  pose: (pose) => attributesView(statesOf({ pose })),
  eyes: (eyes) => attributesView(statesOf({ eyes })),
  mouth: (mouth) => attributesView(statesOf({ mouth })),
  quality: (quality) => ({ quality: qualityFields({ quality }) }),
  mesh: (mesh) => ({ landmarks: meshView(mesh) }),
  embedding: null,
  quickEmbedding: null,
  unclear: null,
  gaze: null,
  shape: null,
  settledShape: null,
  skin: null,
  crop: null,
};

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
export function hintView({ image, faces, nextIn }: Hint) {
  return {
    faces: faces.map((face) => {
      const seen = { ...attributesView({ ...maskOf(face), ...statesOf(face) }), ...placeOf(face) };
      const angles = (['yaw', 'pitch', 'roll'] as const).flatMap((name) => {
        const angle = (seen as Partial<Record<typeof name, number>>)[name];
        return angle === undefined ? [] : [[name, Math.trunc(angle) + 0]];
      });
      return { ...seen, ...Object.fromEntries(angles) };
    }),
    image: { width: image.width, height: image.height },
    next_in: nextIn,
  };
}

/** A mask that was found is told whatever was asked for: no step can be done in it. */
const maskOf = ({ mask }: Hint['faces'][number]) =>
  mask?.worn ? { mouth: 'masked' as const, mouth_score: mask.score } : {};

function faceView(face: DetectedFace, landmarks: Detection['landmarks']): FaceFields {
  const all = Object.entries(attributeFields) as [Attribute, FieldsOf<Attribute> | null][];
  const measured = all.map(([name, fields]) => {
    const value = face[name];
    return value === undefined ? {} : fields?.(value as never, face);
  });
  return Object.assign(
    { ...placeOf(face), score: cutFraction(face.score) },
    landmarks === 'five' && { landmarks: fiveView(face.landmarks) },
    ...measured,
  );
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

function point({ x, y }: Face['landmarks'][number]) {
  return { x: pixels(x), y: pixels(y) };
}

/** The people of a picture; with its faces when the call asks for several. */
export function identifiedView(identification: Identification, scale: Scale) {
  const { people, faces, found, threshold, own, several, withBelow, leftOut } = identification;
  const [main] = faces;
  const candidate = (one: Candidate) => candidateView({ ...one, confidence: scale.of(one.confidence, own) });
  return {
    status_description: main ? 'Face Recognition Success' : 'Face Not Registered',
    return: people.map(candidate),
    ...leftOutFields(leftOut),
    ...(several
      ? { faces: faces.map((face) => searchedView(face, withBelow, candidate)), found, threshold }
      : main
        ? among({ face: main.face, analysis: { found } })
        : { found }),
  };
}

function searchedView(
  { face, outcome, candidates, below, fields }: SearchedFace,
  withBelow: boolean,
  candidate: (one: Candidate) => ReturnType<typeof candidateView>,
) {
  const measured = { ...placeOf(face), quality: qualityFields(face), mask: wearsMask(face) };
  const further = withBelow && { below: below.map(candidate) };
  return { ...measured, outcome, candidates: candidates.map(candidate), ...fields, ...further };
}

function candidateView({ userId, userName, confidence, mask }: Candidate) {
  return { confidence_level: cutFraction(confidence), mask, user_id: userId, user_name: userName };
}

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
