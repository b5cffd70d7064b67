import { cropEndpoints } from './endpoints-crop.ts';
import { detectEndpoints } from './endpoints-detect.ts';

/** Endpoints that the specification does not have. */
export const extensionEndpoints = {
  ...detectEndpoints,
  ...cropEndpoints,
};
