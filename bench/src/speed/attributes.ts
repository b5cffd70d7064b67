import type { Attribute } from '../../../packages/engine/dist/index.js';

/** What a frame of a liveness session is analysed for (`allAttributes` of the server's `liveness/judge.ts`). */
export const sessionAttributes: readonly Attribute[] = [
  ...(['mask', 'spoof', 'quality', 'skin', 'gaze'] as const),
  ...(['pose', 'eyes', 'mouth', 'embedding', 'mesh', 'perceptualHash'] as const),
];
