import type { Feature } from '../../feature.ts';

export const activity: Feature = {
  open: async (parts) => (await import('./open.ts')).openActivity(parts),
};
