import { detectAnswer, detectRequest } from '../schemas/detect.ts';
import { endpoint } from './endpoint.ts';

/** What a picture shows, without a gallery. */
export const detectEndpoints = {
  detectFaces: endpoint({
    id: 'detectFaces',
    tag: 'face',
    methods: ['POST'],
    path: '/face-api/detect-faces',
    summary: 'Extension: finds the faces of a picture and measures each; nothing is stored.',
    auth: 'token',
    hit: 'before',
    request: detectRequest,
    answer: detectAnswer,
    refusals: ['imageNull', 'imageBase64', 'imageType', 'imageBroken', 'faceNotDetected'],
    example: {
      request: { image: '/9j/4AAQSkZJRgABAQ…', attributes: ['pose', 'spoof'], landmarks: 'five' },
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
