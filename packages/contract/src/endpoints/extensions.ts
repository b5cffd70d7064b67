import { accountEndpoints } from './account.ts';
import { cropEndpoints } from './crop.ts';
import { detectEndpoints } from './detect.ts';
import { galleryEndpoints } from './gallery.ts';

/** Endpoints that the specification does not have. */
export const extensionEndpoints = {
  ...detectEndpoints,
  ...galleryEndpoints,
  ...accountEndpoints,
  ...cropEndpoints,
};
