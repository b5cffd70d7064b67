import { maxTemplates, scopes, webhookTypes } from '@wajah/contract';
import { z } from 'zod';
import { attackSpecies } from '../services/recordings/judgement.ts';
import type { TermsUpdate } from '../store/person-store.ts';
import { boundServices } from '../store/token-store.ts';

/** −1 is unlimited. */
const quota = z.object({
  hits: z.int().min(-1).optional(),
  faces: z.int().min(-1).optional(),
  galleries: z.int().min(-1).optional(),
});

/** All galleries of a client, or one of them; both null: those of all clients. */
const selection = z.object({ clientId: z.string().nullable(), galleryId: z.string().nullable() });

const webhook = z.object({ id: z.string() });
/** A person of a client. */
const person = z.object({ clientId: z.string(), userId: z.string() });

/** Internal number of a gallery, and the embedding spec (JSON) that its templates are migrated to. */
const migration = z.object({ gallery: z.int().positive(), embeddingSpec: z.string().min(1) });

/** Times are ISO 8601. */
export const personTerms = z.object({
  consent: z
    .object({
      reference: z.string(),
      purpose: z.string().nullable(),
      givenAt: z.iso.datetime(),
      until: z.iso.datetime().nullable(),
    })
    .nullable(),
  expiresAt: z.iso.datetime().nullable(),
});

/** Consent and retention of a person as they cross the admin socket. */
export type PersonTermsText = z.output<typeof personTerms>;

/**
 * The input of each admin operation. Both ends of the admin socket validate it. Crops, templates and recordings cross
 * the socket sealed, as base64: the command opens and seals them under the master key.
 */
export const adminInputs = {
  createClient: z.object({
    clientId: z.string(),
    password: z.string().optional(),
    quota,
    /** Lets the client read the status and the audit trail of the server. */
    operator: z.boolean().optional(),
  }),
  listClients: z.object({}),
  setQuota: z.object({ clientId: z.string(), quota }),
  setOperator: z.object({ clientId: z.string(), operator: z.boolean() }),
  deleteClient: z.object({ clientId: z.string() }),
  createToken: z.object({
    clientId: z.string(),
    name: z.string(),
    /** Days until it expires; null: never. */
    days: z.number().positive().nullable(),
    /** Absent: all scopes. */
    scopes: z.array(z.enum(scopes)).min(1).optional(),
    /** The service of CompreFace that it is for, and the gallery of a recognition service. */
    binding: z.object({ service: z.enum(boundServices), galleryId: z.string().nullable() }).optional(),
  }),
  listTokens: z.object({ clientId: z.string() }),
  /** The token itself, or its id. */
  revokeToken: z.object({ token: z.string() }),
  /** `atOnce`: tokens of the former key are refused from now on. */
  rotateSigningKey: z.object({ atOnce: z.boolean() }),
  listGalleries: z.object({ clientId: z.string() }),
  /** Similarity score; null: the threshold of the server. */
  setGalleryThreshold: z.object({
    clientId: z.string(),
    galleryId: z.string(),
    threshold: z.number().nullable(),
  }),
  setGalleryLiveness: z.object({ clientId: z.string(), galleryId: z.string(), required: z.boolean() }),
  setGalleryConsent: z.object({ clientId: z.string(), galleryId: z.string(), required: z.boolean() }),
  /** Null: people are kept without end. */
  setGalleryRetention: z.object({
    clientId: z.string(),
    galleryId: z.string(),
    days: z.int().min(1).max(36_500).nullable(),
  }),
  /** Null keeps the stored consent; the days: undefined keeps, null is those of the gallery. */
  updatePerson: person.extend({
    galleryId: z.string(),
    consentReference: z.string().nullable(),
    consentPurpose: z.string().nullable(),
    consentGivenAt: z.iso.datetime().nullable(),
    consentUntil: z.iso.datetime().nullable(),
    retentionDays: z.int().min(1).max(36_500).nullable().optional(),
  }),
  /** Gallery: null: every gallery of the client that has the person. */
  suspendPerson: person.extend({ galleryId: z.string().nullable(), suspended: z.boolean() }),
  exportPerson: person.extend({ pictures: z.boolean() }),
  erasePerson: person,
  listExpiring: selection.extend({
    days: z.int().min(0).max(36_500),
    limit: z.int().min(1).max(1000),
    cursor: z.string().nullable(),
  }),
  /** Client: null: all. */
  processingRecords: z.object({
    clientId: z.string().nullable(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
  }),
  setGalleryCohort: z.object({
    clientId: z.string(),
    galleryId: z.string(),
    mode: z.enum(['auto', 'frozen', 'off']),
  }),
  /** Null: from the first pair on; the default. */
  findDuplicates: z.object({
    clientId: z.string(),
    galleryId: z.string(),
    cursor: z.string().nullable(),
    expectedFalsePairs: z.number().min(1e-6).max(1e6).nullable(),
  }),
  /** For the server (both names null) or one gallery; a null calibration removes it. */
  installCalibration: z.object({
    clientId: z.string().nullable(),
    galleryId: z.string().nullable(),
    calibration: z
      .object({
        contract: z.record(z.string(), z.union([z.string(), z.number()])),
        curve: z.record(z.string(), z.unknown()),
      })
      .nullable(),
  }),
  /** Inner products between users of galleries; templates of this embedding spec (JSON). */
  measureImpostors: selection.extend({ embeddingSpec: z.string().min(1) }),
  findGalleries: selection,
  beginMigration: migration,
  nextFaces: migration.extend({ after: z.int().min(0), limit: z.int().min(1).max(1000) }),
  storeTemplates: migration.extend({
    /** Key that they were sealed with, as the gallery has it. */
    wrappedKey: z.string(),
    templates: z.array(z.object({ userId: z.string(), seq: z.int(), template: z.string().nullable() })),
  }),
  eraseCrops: selection,
  /** Finds the gallery that people are imported into, or creates it. */
  prepareImport: z.object({ clientId: z.string(), galleryId: z.string(), create: z.boolean() }),
  /** user_ids in order, after one (exclusive). */
  listPeople: z.object({ gallery: z.int().positive(), after: z.string(), limit: z.int().min(1).max(10_000) }),
  /** People in order of user_id with sealed templates and crops, after one (exclusive). */
  readPeople: z.object({ gallery: z.int().positive(), after: z.string(), limit: z.int().min(1).max(100) }),
  importPeople: z.object({
    clientId: z.string(),
    galleryId: z.string(),
    /** Of the templates (JSON). */
    embeddingSpec: z.string().min(1),
    /** Key that they were sealed with, as the gallery has it. */
    wrappedKey: z.string(),
    replace: z.boolean(),
    /** What is done when the face is that of another person of the gallery. */
    duplicates: z.enum(['ignore', 'report', 'refuse']),
    /** Nothing is written. */
    dryRun: z.boolean(),
    people: z
      .array(
        z.object({
          userId: z.string().min(1),
          userName: z.string().min(1),
          template: z.string(),
          crops: z.array(z.string()).max(maxTemplates),
          /** Consent and end of retention, of an export. */
          terms: personTerms.optional(),
        }),
      )
      .min(1)
      .max(1000),
  }),
  keyStatus: z.object({}),
  /** After a backup was written. */
  recordBackup: z.object({ bytes: z.int() }),
  /** Null: any. */
  listAudit: z.object({
    since: z.iso.datetime().nullable(),
    /** Id of a record, exclusive. */
    before: z.int().nullable(),
    clientId: z.string().nullable(),
    event: z.string().nullable(),
    limit: z.int().min(1).max(1000),
  }),
  readAudit: z.object({ after: z.int().min(0), limit: z.int().min(1).max(1000) }),
  describeAudit: z.object({}),
  /** Types: null: all. */
  createWebhook: z.object({
    clientId: z.string(),
    url: z.string(),
    types: z.array(z.enum(webhookTypes)).min(1).nullable(),
  }),
  listWebhooks: z.object({ clientId: z.string() }),
  rotateWebhook: webhook,
  setWebhook: webhook.extend({ enabled: z.boolean() }),
  deleteWebhook: webhook,
  testWebhook: webhook,
  /** Null: any. */
  replayWebhook: webhook.extend({
    eventId: z.string().nullable(),
    since: z.iso.datetime().nullable(),
    state: z.enum(['delivered', 'dead']).nullable(),
  }),
  listDeliveries: webhook.extend({
    state: z.enum(['pending', 'delivered', 'dead']).nullable(),
    limit: z.int().min(1).max(1000),
  }),
  listRecordings: z.object({ after: z.string(), limit: z.int().min(1).max(1000) }),
  /** A part is up to 128 KiB. */
  recordedParts: z.object({
    id: z.string(),
    after: z.int().min(-1),
    limit: z.int().min(1).max(32),
  }),
  /** Species: of an attack. */
  labelRecording: z.object({
    id: z.string(),
    label: z.enum(['bona_fide', 'attack']),
    species: z.enum(attackSpecies).nullable(),
  }),
  /** Recordings that meet every condition that is not null; none is given: all. */
  eraseRecordings: z.object({
    id: z.string().nullable(),
    clientId: z.string().nullable(),
    /** Name that the client gave to the person: subject or user_id of its sessions. */
    subject: z.string().nullable(),
  }),
} as const;

/** Name of an admin operation. */
export type AdminOperation = keyof typeof adminInputs;

/** Input of an admin operation. */
export type AdminInput<O extends AdminOperation> = z.output<(typeof adminInputs)[O]>;

/** Consent and retention as they cross the admin socket. */
export function termsText({ consent, expiresAt }: TermsUpdate = {}): PersonTermsText {
  return {
    consent: consent
      ? {
          ...consent,
          givenAt: consent.givenAt.toISOString(),
          until: consent.until?.toISOString() ?? null,
        }
      : null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

export function termsOfText({ consent, expiresAt }: PersonTermsText): TermsUpdate {
  const dateOf = (text: string | null) => (text === null ? null : new Date(text));
  return {
    consent: consent && { ...consent, givenAt: new Date(consent.givenAt), until: dateOf(consent.until) },
    expiresAt: dateOf(expiresAt),
  };
}

/** Sealed bytes as they cross the admin socket: base64. */
export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(base64, 'base64'));
