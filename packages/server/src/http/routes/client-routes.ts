import { accountRoutes } from './account.ts';
import { enrolmentRoutes, pictureRoutes, recognitionRoutes } from './faces.ts';
import { galleryRoutes } from './galleries.ts';
import { livenessRoutes } from './liveness.ts';
import { peopleRoutes } from './people.ts';
import type { Mount } from './ports.ts';
import type { OpenSite } from './site-ports.ts';

/** What the endpoints behind a token take. */
export type ClientRoutes = Parameters<typeof accountRoutes>[1] &
  Parameters<typeof galleryRoutes>[1] &
  Parameters<typeof enrolmentRoutes>[1] &
  Parameters<typeof pictureRoutes>[1] &
  Parameters<typeof recognitionRoutes>[1] &
  Parameters<typeof peopleRoutes>[1] &
  Parameters<typeof livenessRoutes>[1] & {
    readonly features: readonly { mount(mount: Mount): void; readonly site?: OpenSite | undefined }[];
  };

/** The endpoints behind a token. */
export function mountClientRoutes(mount: Mount, services: ClientRoutes): void {
  accountRoutes(mount, services);
  galleryRoutes(mount, services);
  enrolmentRoutes(mount, services);
  pictureRoutes(mount, services);
  recognitionRoutes(mount, services);
  peopleRoutes(mount, services);
  for (const feature of services.features) feature.mount(mount);
  livenessRoutes(mount, services);
}
