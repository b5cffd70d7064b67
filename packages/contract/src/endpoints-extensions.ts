import { detectEndpoints } from './endpoints-detect.ts';

/** Endpoints that the specification does not have. */
export const extensionEndpoints = {
  ...detectEndpoints,
};
