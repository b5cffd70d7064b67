import type { Feature } from '../../feature.ts';

export const unknown: Feature = {
  open: async (parts) => (await import('./open.ts')).openUnknown(parts),
};
