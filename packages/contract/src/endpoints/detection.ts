import { z } from 'zod';
import { flag, optionalCount, optionalWord, optionalWords, picture } from '../fields.ts';
import { endpoint } from './endpoint.ts';
import { attributes, envelope, exampleImage, type Fields, fraction, trx } from './envelope.ts';

/** What can be worked out about each face that is found. */
export const detectable = ['pose', 'eyes', 'mouth', 'mask', 'spoof', 'quality'] as const;
const landmarkKinds = ['none', 'five', 'mesh'] as const;
/** Faces of one answer. */
export const detectedFaces = { most: 50, byDefault: 20 } as const;

const detectRequest = z.object({
  image: picture('The picture: base64 of a JPEG or PNG; a data URL is accepted.'),
  attributes: optionalWords(
    'What to work out about each face; an empty list is nothing but boxes. Default: all.',
    detectable,
  ),
  landmarks: optionalWord(
    'Points of each face: none, the five of eyes, nose and mouth, or the 468 of the mesh. Default none.',
    landmarkKinds,
  ),
  thorough: flag(
    'Goes over parts of the picture, too, for faces too small to be seen in the whole: several times the work. Else ' +
      'it does so only when the whole picture shows nobody.',
    false,
  ),
  max_faces: optionalCount(
    `At most this many faces, the most prominent ones. Default ${detectedFaces.byDefault}.`,
    1,
    detectedFaces.most,
  ),
  trx_id: trx,
});

const px = z.number();
const point = z.object({ x: px, y: px });

const five = z.object({
  left_eye: point,
  right_eye: point,
  nose: point,
  mouth_left: point,
  mouth_right: point,
});

const qualityVerdict = z.object({
  rule: z.string(),
  value: z.number(),
  limit: z.number(),
  ok: z.boolean(),
  unit: z.string(),
  reason: z
    .string()
    .optional()
    .meta({ description: 'With a rule that is not met: what is wrong and what to do.' }),
});

const spoofCue = z.object({
  name: z.string(),
  score: fraction.meta({ description: 'Probability of a spoof by this cue alone; 0.5 says nothing.' }),
});

const detectedFace = attributes.omit({ similarity: true }).extend({
  box: z
    .object({ x: px, y: px, width: px, height: px })
    .meta({ description: 'Brow to chin, pixels of the upright picture; may reach beyond its edges.' }),
  score: fraction.meta({ description: 'How sure it is that this is a face.' }),
  landmarks: z
    .union([five, z.array(z.tuple([px, px, px])).meta({ description: 'x, y, z of the 468 points.' })])
    .optional()
    .meta({ description: "Left and right are the person's own; pixels of the upright picture." }),
  spoof_cues: z
    .array(spoofCue)
    .optional()
    .meta({ description: 'What spoof_score was put together from; names may change between versions.' }),
  quality: z.array(qualityVerdict).optional(),
});

const detectAnswer = envelope.extend({
  spoof_threshold: fraction
    .optional()
    .meta({ description: 'spoof_score at or above which is_spoof is true; there when spoof was asked for.' }),
  faces: z.array(detectedFace).meta({ description: 'The largest first.' }),
  found: z.int().meta({ description: 'Faces in the picture, also those beyond max_faces.' }),
  image: z
    .object({ width: z.int(), height: z.int() })
    .meta({ description: 'Pixels of the upright picture (EXIF applied).' }),
});

export type DetectRequest = Fields<typeof detectRequest>;

/** What a picture shows, without a gallery. */
export const detectExtensions = {
  detectFaces: endpoint({
    tag: 'face',
    path: '/face-api/detect-faces',
    summary: 'Extension: finds the faces of a picture and measures each; nothing is stored.',
    request: detectRequest,
    answer: detectAnswer,
    refusals: ['imageNull', 'imageBase64', 'imageType', 'imageBroken', 'faceNotDetected'],
    example: {
      request: { image: exampleImage, attributes: ['pose', 'spoof'], landmarks: 'five' },
      answer: {
        status: '200',
        status_message: 'Success',
        faces: [
          {
            is_spoof: false,
            spoof_score: 0.03,
            roll: 1.2,
            pitch: -3.4,
            yaw: 4.5,
            box: { x: 210.4, y: 130.9, width: 180.2, height: 201.7 },
            score: 0.98,
            landmarks: {
              left_eye: { x: 341.2, y: 190.4 },
              right_eye: { x: 262.8, y: 188.1 },
              nose: { x: 303.5, y: 236.6 },
              mouth_left: { x: 333.9, y: 281.3 },
              mouth_right: { x: 271.4, y: 279.9 },
            },
            spoof_cues: [
              { name: 'texture', score: 0.11 },
              { name: 'moire', score: 0.32 },
            ],
          },
        ],
        found: 1,
        image: { width: 640, height: 480 },
        spoof_threshold: 0.5,
      },
    },
  }),
};
