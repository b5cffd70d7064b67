import { z } from 'zod';
import { flag, optionalCount, optionalWord, optionalWords, picture } from '../fields.ts';
import { aPicture } from '../values.ts';
import { endpoint } from './endpoint.ts';
import { attributes, box, envelope, exampleImage, fraction, qualityVerdict, trx } from './envelope.ts';

/** Attributes that can be analysed of each face. */
export const detectable = ['pose', 'eyes', 'mouth', 'mask', 'spoof', 'quality'] as const;
const landmarkKinds = ['none', 'five', 'mesh'] as const;
/** Faces of one answer. */
export const detectedFaces = { most: 50, byDefault: 20 } as const;

const detectRequest = z.object({
  image: picture(`The picture: base64 of a ${aPicture}; a data URL is accepted.`),
  attributes: optionalWords(
    'Attributes to measure of each face; an empty list returns boxes only. Default: all. `spoof` needs the scope diagnostics: without it, the default leaves it out, and naming it is refused.',
    detectable,
  ),
  landmarks: optionalWord(
    'Landmarks of each face: none, five of eyes, nose and mouth, or the 468 of the mesh. Default none.',
    landmarkKinds,
  ),
  thorough: flag(
    'Also searches parts of the picture for small faces, at several times the cost. Otherwise this happens only when ' +
      'no face is detected in the whole picture.',
    false,
  ),
  max_faces: optionalCount(
    `Most faces in the answer, the most prominent first. Default ${detectedFaces.byDefault}.`,
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

const spoofCue = z.object({
  name: z.string(),
  score: fraction.meta({
    description: 'Probability of an attack by this network alone; 0.5 is undecided.',
  }),
});

const detectedFace = attributes.omit({ similarity: true }).extend({
  box,
  score: fraction.meta({ description: 'Confidence of the detection.' }),
  landmarks: z
    .union([five, z.array(z.tuple([px, px, px])).meta({ description: 'x, y, z of the 468 points.' })])
    .optional()
    .meta({ description: "Left and right are the person's own; pixels of the upright picture." }),
  spoof_cues: z.array(spoofCue).optional().meta({
    description:
      'What spoof_score was computed from: `near` looks at the face and its surroundings, `close` at the face. Empty without a PAD pack. Names may change between versions.',
  }),
  quality: z.array(qualityVerdict).optional(),
});

const detectAnswer = envelope.extend({
  spoof_threshold: fraction.optional().meta({
    description:
      'Threshold of spoof_score at or above which is_spoof is true; present if spoof was requested.',
  }),
  faces: z.array(detectedFace).meta({ description: 'Ordered by size, the largest first.' }),
  found: z.int().meta({ description: 'Number of faces in the picture, including those beyond max_faces.' }),
  image: z
    .object({ width: z.int(), height: z.int() })
    .meta({ description: 'Pixels of the upright picture (EXIF applied).' }),
});

/** Detection, without a gallery. */
export const detectExtensions = {
  detectFaces: endpoint({
    tag: 'face',
    methods: ['POST'],
    path: '/face-api/detect-faces',
    access: 'recognise',
    repeatable: true,
    pictures: 1,
    hit: 'before',
    audits: 'faces_detected',
    diagnostics: ['spoof_threshold', 'faces.is_spoof', 'faces.spoof_score', 'faces.spoof_cues'],
    summary: 'Detects the faces of a picture and measures each; stores nothing.',
    request: detectRequest,
    answer: detectAnswer,
    refusals: ['imageNull', 'imageBase64', 'imageType', 'imageBroken', 'faceNotDetected'],
    example: {
      request: { image: exampleImage, attributes: ['pose', 'mask'], landmarks: 'five' },
      answer: {
        status: '200',
        status_message: 'Success',
        faces: [
          {
            roll: 1.2,
            pitch: -3.4,
            yaw: 4.5,
            masker: false,
            box: { x: 210.4, y: 130.9, width: 180.2, height: 201.7 },
            score: 0.98,
            landmarks: {
              left_eye: { x: 341.2, y: 190.4 },
              right_eye: { x: 262.8, y: 188.1 },
              nose: { x: 303.5, y: 236.6 },
              mouth_left: { x: 333.9, y: 281.3 },
              mouth_right: { x: 271.4, y: 279.9 },
            },
          },
        ],
        found: 1,
        image: { width: 640, height: 480 },
      },
    },
  }),
};
