import type { Attribute } from '../../../../packages/engine/dist/index.js';

/** What the frame of a turn of the head is analysed for (`services/liveness/frames.ts` of the server). */
export const turnAttributes: readonly Attribute[] = [
  ...(['pose', 'mouth', 'mask', 'quality', 'quickEmbedding'] as const),
  ...(['shape', 'settledShape', 'spoof', 'skin', 'eyes', 'gaze', 'mesh'] as const),
];

/** What a frame that faces the camera is analysed for. */
export const frontAttributes: readonly Attribute[] = [...turnAttributes, 'embedding'];
