import type { Attribute } from '../../../../packages/engine/dist/index.js';

const ofAll: readonly Attribute[] = [
  ...(['pose', 'mouth', 'mask', 'quality'] as const),
  ...(['quickEmbedding', 'shape'] as const),
];

/** What every frame of a liveness session is analysed for (`frames/analyze-frames.ts` of the server). */
export const frameAttributes: readonly Attribute[] = [...ofAll, 'place'];

/** What the frame that represents a turn of the head is analysed for besides, where its face is known already. */
export const detailAttributes: readonly Attribute[] = ['spoof', 'skin', 'eyes', 'gaze', 'mesh'];

/** What the frame of a turn of the head is analysed for that is the only one of its step. */
export const sessionAttributes: readonly Attribute[] = [...ofAll, ...detailAttributes];

/** What the most frontal frame of a session is analysed for in place of `detailAttributes`. */
export const referenceAttributes: readonly Attribute[] = [...detailAttributes, 'embedding'];
