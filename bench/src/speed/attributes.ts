import type { Attribute } from '../../../packages/engine/dist/index.js';

/** What every frame of a liveness session is analysed for (`frames/analyze-frames.ts` of the server). */
export const frameAttributes: readonly Attribute[] = [
  ...(['pose', 'mouth', 'mask', 'quality'] as const),
  ...(['skin', 'embedding', 'perceptualHash'] as const),
];

/** What the frame that represents a step is analysed for besides. */
export const detailAttributes: readonly Attribute[] = ['spoof', 'eyes', 'gaze', 'mesh'];

/** What a frame is analysed for that is the only one of its step. */
export const sessionAttributes: readonly Attribute[] = [...frameAttributes, ...detailAttributes];
