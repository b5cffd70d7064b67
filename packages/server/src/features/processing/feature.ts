import type { Feature } from '../../feature.ts';

export const processing: Feature = {
  open: async () => ({ mount: (await import('./routes.ts')).processingRoutes }),
};
