import type { Events } from '../events.ts';
import { dayMs } from '../lib/time.ts';
import type { AccountAdministration } from '../services/accounts/account-administration.ts';
import type { DuplicateAdministration } from '../services/duplicates/administration.ts';
import type { ImportAdministration } from '../services/enrolment/import-administration.ts';
import { packName } from '../services/galleries/embedding-spec.ts';
import type { GalleryAdministration } from '../services/galleries/gallery-administration.ts';
import type { ImpostorProducts } from '../services/recognition/impostor-products.ts';
import type { SessionRecorder } from '../services/recordings/recorder.ts';
import type { KeyStatus } from '../services/resealing/reseal.ts';
import type { WebhookAdministration } from '../services/webhooks/administration.ts';
import type { ClientRecord, GalleryRecord, Store } from '../store/store.ts';
import type { ApiTokenRecord } from '../store/token-store.ts';
import { recorded } from './acts.ts';
import { auditOperations } from './audit-operations.ts';
import { duplicateOperations } from './duplicate-operations.ts';
import { importOperations } from './import-operations.ts';
import { type AdminInput, type AdminOperation, bytesOf, toBase64 } from './inputs.ts';
import type { personOperations } from './person-operations.ts';
import { recordingOperations } from './recording-operations.ts';
import { sealedGallery } from './sealed-gallery.ts';
import { webhookOperations } from './webhook-operations.ts';

/**
 * Operations of the operator, in the process that owns the store or over its admin socket. Answers are plain JSON with
 * ISO 8601 times. They throw an OperatorError when they cannot be done.
 */
export type AdminOperations = ReturnType<typeof createAdminOperations>;
/** A client with its quota and usage. */
export type ClientSummary = ReturnType<typeof clientSummary>;
/** An API token without its secret. */
export type ApiTokenSummary = ReturnType<typeof tokenSummary>;
export type GallerySummary = ReturnType<typeof gallerySummary>;
export type DuplicateSummary = Awaited<ReturnType<AdminOperations['findDuplicates']>>;

type Handlers = { readonly [O in AdminOperation]: (input: AdminInput<O>) => Promise<unknown> };

/** What reads sealed data. */
interface AdminReaders {
  keyStatus(): Promise<KeyStatus>;
  impostorProducts(galleries: readonly GalleryRecord[], embeddingSpec: string): Promise<ImpostorProducts>;
}

interface AdminParts {
  readonly accounts: AccountAdministration;
  readonly galleries: GalleryAdministration;
  readonly duplicates: Pick<DuplicateAdministration, 'find'>;
  readonly imports: ImportAdministration;
  readonly store: Pick<Store, 'templateMigration' | 'crops' | 'recordings' | 'clients' | 'audit' | 'meta'>;
  readonly recordings: Pick<SessionRecorder, 'erase'>;
  readonly events: Pick<Events, 'administered'>;
  readonly readers: AdminReaders;
  readonly webhooks: WebhookAdministration;
  readonly persons: ReturnType<typeof personOperations>;
}

/** The admin operations of the process that owns the store. */
export function createAdminOperations(parts: AdminParts) {
  const { accounts, galleries, duplicates, imports, store, recordings, events, readers, webhooks } = parts;
  const operations = {
    ...accountOperations(accounts, events),
    listGalleries: async ({ clientId }) => (await galleries.list(clientId)).map(gallerySummary),
    setGalleryThreshold: ({ clientId, galleryId, threshold }) =>
      galleries.setThreshold(clientId, galleryId, threshold),
    setGalleryLiveness: ({ clientId, galleryId, required }) =>
      galleries.requireLiveness(clientId, galleryId, required),
    setGalleryCohort: ({ clientId, galleryId, mode }) => galleries.setCohortMode(clientId, galleryId, mode),
    installCalibration: ({ clientId, galleryId, calibration }) =>
      galleries.installCalibration(clientId, galleryId, calibration && JSON.stringify(calibration)),
    setGalleryConsent: ({ clientId, galleryId, required }) =>
      galleries.requireConsent(clientId, galleryId, required),
    setGalleryRetention: ({ clientId, galleryId, days }) => galleries.setRetention(clientId, galleryId, days),
    ...parts.persons,
    ...duplicateOperations(duplicates),
    ...importOperations(imports),
    ...migrationOperations(galleries, store),
    ...recordingOperations(recordings, store),
    ...auditOperations(store),
    ...webhookOperations(webhooks),
    keyStatus: async (_: AdminInput<'keyStatus'>) => readers.keyStatus(),
    measureImpostors: async ({ clientId, galleryId, embeddingSpec }) =>
      readers.impostorProducts(await galleries.find(clientId, galleryId), embeddingSpec),
    recordBackup: async (_: AdminInput<'recordBackup'>) => null,
  } satisfies Handlers;
  return recorded(operations, events);
}

function accountOperations(accounts: AccountAdministration, events: Pick<Events, 'administered'>) {
  return {
    createClient: ({ clientId, password, quota, operator = false }) =>
      accounts.create({
        clientId,
        operator,
        quota: definedOnly(quota),
        ...(password === undefined ? {} : { password }),
      }),
    listClients: async (_: AdminInput<'listClients'>) => (await accounts.list()).map(clientSummary),
    setQuota: ({ clientId, quota }) => accounts.setQuota(clientId, definedOnly(quota)),
    setOperator: ({ clientId, operator }) => accounts.setOperator(clientId, operator),
    /** The receipt is null when no audit record could be written; the time is ISO 8601. */
    deleteClient: async ({ clientId }) => {
      const erased = await accounts.remove(clientId);
      const receipt = await events.administered(null, { operation: 'delete-client', ...erased });
      return { ...erased, receipt: receipt && { ...receipt, at: receipt.at.toISOString() } };
    },
    createToken: async ({ clientId, name, days, scopes, binding }) => {
      const expires = days === null ? null : new Date(Date.now() + days * dayMs);
      const { id, token, expiresAt } = await accounts.createApiToken(
        clientId,
        name,
        expires,
        scopes,
        binding,
      );
      return { id, token, expiresAt: timeOf(expiresAt) };
    },
    listTokens: async ({ clientId }) => (await accounts.listApiTokens(clientId)).map(tokenSummary),
    revokeToken: ({ token }) => accounts.revokeApiToken(token),
    rotateSigningKey: async ({ atOnce }) => {
      const { kid, formerUntil } = await accounts.rotateSigningKey(atOnce);
      return { kid, formerUntil: formerUntil.toISOString() };
    },
  } satisfies Partial<Handlers>;
}

/** Operations on stored face crops and on templates that are migrated to another pack. */
function migrationOperations(
  galleries: GalleryAdministration,
  { templateMigration, crops }: Pick<Store, 'templateMigration' | 'crops'>,
) {
  return {
    findGalleries: async ({ clientId, galleryId }) =>
      (await galleries.find(clientId, galleryId)).map(sealedGallery),
    /** @returns number of faces without a template of that spec; null: the gallery is migrated or deleted */
    beginMigration: async ({ gallery, embeddingSpec }) => {
      await templateMigration.begin(gallery, embeddingSpec);
      return templateMigration.countPending(gallery, embeddingSpec);
    },
    nextFaces: async ({ gallery, embeddingSpec, after, limit }) => {
      const faces = await templateMigration.nextPending(gallery, embeddingSpec, after, limit);
      return faces.map(({ template, crops: kept, ...face }) => ({
        ...face,
        template: toBase64(template),
        crops: kept.map(toBase64),
      }));
    },
    /** @returns false if another command migrates the gallery to another pack, or its key was replaced */
    storeTemplates: ({ gallery, embeddingSpec, wrappedKey, templates }) => {
      const sealed = templates.map(({ template, ...face }) => ({
        ...face,
        template: template === null ? null : bytesOf(template),
      }));
      return templateMigration.storeTemplates(gallery, embeddingSpec, sealed, bytesOf(wrappedKey));
    },
    eraseCrops: async ({ clientId, galleryId }) => {
      const found = await galleries.find(clientId, galleryId);
      return { galleries: found.length, crops: await crops.erase(found.map(({ id }) => id)) };
    },
  } satisfies Partial<Handlers>;
}

/** The amounts that are not undefined. */
function definedOnly(quota: AdminInput<'setQuota'>['quota']): { [Name in keyof typeof quota]: number } {
  return Object.fromEntries(Object.entries(quota).filter(([, value]) => value !== undefined));
}

const timeOf = (date: Date | null) => date?.toISOString() ?? null;

function clientSummary({ clientId, createdAt, registeredAt, operator, quota, used }: ClientRecord) {
  return {
    clientId,
    registeredAt: timeOf(registeredAt),
    operator,
    createdAt: createdAt.toISOString(),
    quota,
    used,
  };
}

function tokenSummary({ id, name, scopes, createdAt, expiresAt, revokedAt, binding }: ApiTokenRecord) {
  return {
    id,
    name,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: timeOf(expiresAt),
    revokedAt: timeOf(revokedAt),
    binding,
  };
}

function gallerySummary({ galleryId, faces, threshold, curve, ...gallery }: GalleryRecord) {
  return {
    galleryId,
    faces,
    threshold,
    calibrated: curve !== null,
    requireLiveness: gallery.requireLiveness,
    requireConsent: gallery.requireConsent,
    retentionDays: gallery.retentionDays,
    cohortMode: gallery.cohortMode,
    /** Version of the statistics, and the people measured; 0 without statistics. */
    cohortVersion: gallery.cohort?.version ?? 0,
    cohortPeople: gallery.cohort?.people ?? 0,
    /** Model pack and version of its templates; null while none is stored. */
    pack: gallery.embeddingSpec === null ? null : packName(gallery.embeddingSpec),
    createdAt: gallery.createdAt.toISOString(),
  };
}
