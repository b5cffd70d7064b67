import type { Events } from '../events.ts';
import type { AdminInput, AdminOperation } from './inputs.ts';

/** Whom an act concerns, and facts without personal data. */
type Act = readonly [clientId: string | null, facts: Readonly<Record<string, string | number | boolean>>];

type Acts = { readonly [O in AdminOperation]?: (input: AdminInput<O>) => Act | null };

const gallery = (facegalleryId: string) => ({ facegallery_id: facegalleryId });

/** The operations that change something, or read pictures. A token is not named: it may be given itself. */
const acts: Acts = {
  createClient: ({ clientId, operator = false }) => [clientId, { operator }],
  setQuota: ({ clientId, quota: { hits, faces, galleries } }) => [
    clientId,
    {
      ...(hits !== undefined && { hits }),
      ...(faces !== undefined && { faces }),
      ...(galleries !== undefined && { galleries }),
    },
  ],
  setOperator: ({ clientId, operator }) => [clientId, { operator }],
  createToken: ({ clientId, scopes, binding }) => [
    clientId,
    {
      scopes: scopes?.join(' ') ?? 'all',
      ...(binding && { service: binding.service }),
      ...(binding?.galleryId && gallery(binding.galleryId)),
    },
  ],
  revokeToken: () => [null, {}],
  rotateSigningKey: ({ atOnce }) => [null, { at_once: atOnce }],
  recordBackup: ({ bytes }) => [null, { bytes }],
  setGalleryThreshold: ({ clientId, galleryId, threshold }) => [
    clientId,
    { ...gallery(galleryId), threshold: threshold ?? 'server' },
  ],
  setGalleryLiveness: ({ clientId, galleryId, required }) => [
    clientId,
    { ...gallery(galleryId), require_liveness: required },
  ],
  setGalleryConsent: ({ clientId, galleryId, required }) => [
    clientId,
    { ...gallery(galleryId), require_consent: required },
  ],
  setGalleryRetention: ({ clientId, galleryId, days }) => [
    clientId,
    { ...gallery(galleryId), retention_days: days ?? 'none' },
  ],
  updatePerson: ({ clientId, galleryId }) => [clientId, gallery(galleryId)],
  suspendPerson: ({ clientId, galleryId, suspended }) => [
    clientId,
    { ...(galleryId !== null && gallery(galleryId)), suspended },
  ],
  exportPerson: ({ clientId, pictures }) => [clientId, { pictures }],
  setGalleryCohort: ({ clientId, galleryId, mode }) => [
    clientId,
    { ...gallery(galleryId), cohort_mode: mode },
  ],
  installCalibration: ({ clientId, galleryId, calibration }) => [
    clientId,
    { ...(galleryId !== null && gallery(galleryId)), installed: calibration !== null },
  ],
  createWebhook: ({ clientId }) => [clientId, {}],
  rotateWebhook: ({ id }) => [null, { webhook_id: id }],
  setWebhook: ({ id, enabled }) => [null, { webhook_id: id, enabled }],
  deleteWebhook: ({ id }) => [null, { webhook_id: id }],
  replayWebhook: ({ id }) => [null, { webhook_id: id }],
  beginMigration: ({ gallery: number }) => [null, { gallery: number }],
  eraseCrops: ({ clientId, galleryId }) => [clientId, galleryId === null ? {} : gallery(galleryId)],
  prepareImport: ({ clientId, galleryId, create }) => (create ? [clientId, gallery(galleryId)] : null),
  // The first page of an export.
  readPeople: ({ gallery: number, after }) => (after === '' ? [null, { gallery: number }] : null),
  // People that were offered; some of them may be enrolled already.
  importPeople: ({ clientId, galleryId, people, dryRun }) =>
    dryRun ? null : [clientId, { ...gallery(galleryId), people: people.length }],
  labelRecording: ({ id, label }) => [null, { session_id: id, label }],
  eraseRecordings: ({ clientId }) => [clientId, {}],
  // The first part of the pictures of a session.
  recordedParts: ({ id, after }) => (after === -1 ? [null, { session_id: id }] : null),
};

type Operations = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** The operations, each of which is recorded in the audit trail after it was done. */
export function recorded<T extends Operations>(operations: T, events: Pick<Events, 'administered'>): T {
  const entries = Object.entries(operations).map(([name, run]) => {
    const actOf = acts[name as AdminOperation] as ((input: unknown) => Act | null) | undefined;
    if (!actOf) return [name, run];
    const runAndRecord = async (input: never) => {
      const result = await run(input);
      const act = actOf(input);
      if (act) await events.administered(act[0], { operation: commandOf(name), ...act[1] });
      return result;
    };
    return [name, runAndRecord];
  });
  return Object.fromEntries(entries) as T;
}

/** @example commandOf('setQuota') // 'set-quota' */
function commandOf(operation: string): string {
  if (operation === 'recordBackup') return 'backup';
  return operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
