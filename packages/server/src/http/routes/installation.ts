import { operatorEndpoints } from '@wajah/contract';
import type { InstallationService } from '../../services/administration/ports.ts';
import { receiptView } from '../views/people.ts';
import { trailView } from '../views/records.ts';
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

  mount(operatorEndpoints.readAuditTrail, async (caller, request) =>
    trailView(await installation.readTrail(caller, request)),
  );

  galleryActRoutes(mount, installation);
  migrationRoutes(mount, installation);
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

function migrationRoutes(mount: Mount, installation: InstallationService): void {
  mount(operatorEndpoints.findGalleries, async (caller, request) => ({
    galleries: (await installation.findGalleries(caller, request)).map((gallery) => ({
      gallery: gallery.id,
      client_id: gallery.clientId,
      facegallery_id: gallery.galleryId,
      wrapped_key: base64(gallery.wrappedKey),
      embedding_spec: gallery.embeddingSpec,
    })),
  }));

  mount(operatorEndpoints.beginMigration, async (caller, request) => ({
    pending: await installation.beginMigration(caller, request),
  }));

  mount(operatorEndpoints.listPendingFaces, async (caller, request) => ({
    faces: (await installation.pendingFaces(caller, request)).map(({ userId, seq, template, crops }) => ({
      user_id: userId,
      seq,
      template: base64(template),
      crops: crops.map(base64),
    })),
  }));

  mount(operatorEndpoints.storeMigrated, async (caller, request) => ({
    stored: await installation.storeMigrated(caller, request),
  }));
}

function galleryActRoutes(mount: Mount, installation: InstallationService): void {
  mount(operatorEndpoints.setCohortMode, async (caller, request) => {
    const { cohortMode, cohort } = await installation.setCohortMode(caller, request);
    const statistics = { cohort_version: cohort?.version ?? 0, cohort_people: cohort?.people ?? 0 };
    return { cohort_mode: cohortMode, ...statistics };
  });

  mount(operatorEndpoints.checkGalleries, async (caller, request) => ({
    facegalleries: (await installation.check(caller, request)).map(damageView),
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
    key,
    templates: [...templates],
    crops: crops.map(({ name }) => ({ name })),
    erased,
    ...receiptView(receipt),
  };
}
