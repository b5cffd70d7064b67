import { accountEndpoints } from './endpoints-account.ts';
import { cropEndpoints } from './endpoints-crop.ts';
import { detectEndpoints } from './endpoints-detect.ts';
import { galleryEndpoints } from './endpoints-gallery.ts';

/** Endpoints that the specification does not have. */
export const extensionEndpoints = {
  ...detectEndpoints,
  ...galleryEndpoints,
  ...accountEndpoints,
  ...cropEndpoints,
};
