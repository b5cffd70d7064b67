import type { Feature } from '../../feature.ts';

export const cameras: Feature = {
  open: async (parts) => (await import('./open.ts')).openCameras(parts),
};
