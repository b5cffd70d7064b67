import { operatorEndpoints } from '@wajah/contract';
import type { InstallationService } from '../../services/administration/ports.ts';
import { receiptView } from '../views/people.ts';
import { wire } from '../views/wire.ts';
import type { Mount } from './ports.ts';

/** What only the operator of the installation does. */
export function installationRoutes(
  mount: Mount,
  { installation }: { readonly installation: InstallationService },
): void {
  mount(operatorEndpoints.setClientOperator, installation.setOperator);

  mount(operatorEndpoints.createSignInLink, async (caller, request) => ({
    path: await installation.createSignInLink(caller, request),
  }));

  mount(operatorEndpoints.rotateSigningKey, async (caller, request) =>
    wire(await installation.rotateSigningKey(caller, request)),
  );

  mount(operatorEndpoints.recordBackup, async (caller, request) => {
    await installation.recordBackup(caller, request);
    return {};
  });

  galleryActRoutes(mount, installation);
}

function galleryActRoutes(mount: Mount, installation: InstallationService): void {
  mount(operatorEndpoints.setCohortMode, async (caller, request) => {
    const { cohortMode, cohort } = await installation.setCohortMode(caller, request);
    const statistics = { cohort_version: cohort?.version ?? 0, cohort_people: cohort?.people ?? 0 };
    return { cohort_mode: cohortMode, ...statistics };
  });

  mount(operatorEndpoints.checkGalleries, async (caller, request) => ({
    facegalleries: (await installation.check(caller, request)).map(damageView),
    rows: await installation.damagedRows(),
  }));

  mount(operatorEndpoints.eraseCrops, async (caller, request) => {
    const { galleries, crops } = await installation.eraseCrops(caller, request);
    return { n_facegallery: galleries, n_crop: crops };
  });

  mount(operatorEndpoints.installCalibration, installation.installCalibration);

  mount(operatorEndpoints.measureImpostors, async (caller, request) =>
    wire(await installation.measureImpostors(caller, request)),
  );
}

type Damage = Awaited<ReturnType<InstallationService['check']>>[number];

function damageView({ gallery, key, templates, crops, erased, receipt }: Damage) {
  return {
    client_id: gallery.clientId,
    facegallery_id: gallery.galleryId,
    n_face: gallery.faces,
    key_damaged: key,
    templates: [...templates],
    crops: crops.map(({ name }) => ({ name })),
    erased,
    ...receiptView(receipt),
  };
}
