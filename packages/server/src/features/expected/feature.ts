import type { Feature } from '../../feature.ts';

export const expected: Feature = {
  open: async (parts) => (await import('./open.ts')).openExpected(parts),
};
