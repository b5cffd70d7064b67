import type { RefusedCall } from './activity-store.ts';
import type { EarlierSession, LivenessSessionRecord, StoredFramePart } from './session-store.ts';
import type { ClientRecord, FaceRecord, GalleryRecord, SealedFace } from './store.ts';
import type { ApiTokenRecord, TokenBinding } from './token-store.ts';

/** Rows as both databases return them. Times are milliseconds since 1970. */
export interface ClientRow {
  readonly client_id: string;
  readonly password_hash: string | null;
  readonly created_at: number;
  readonly registered_at: number | null;
  readonly operator: number;
  readonly quota_hits: number;
  readonly quota_faces: number;
  readonly quota_galleries: number;
  readonly used_hits: number;
  readonly used_faces: number;
  readonly used_galleries: number;
}

/** SQLite's driver returns ArrayBuffer from some calls and Buffer from others. */
type Blob = ArrayBuffer | Uint8Array;

export interface GalleryRow {
  readonly id: number;
  readonly client_id: string;
  readonly gallery_id: string;
  readonly wrapped_key: Blob;
  readonly former_key: Blob | null;
  readonly contract: string | null;
  readonly version: number;
  readonly faces: number;
  readonly created_at: number;
  readonly threshold: number | null;
  readonly curve: string | null;
  readonly require_liveness: number;
  readonly require_consent: number;
  readonly retention_days: number | null;
  readonly former_contract: string | null;
  readonly carried_at: number | null;
  readonly cohort_mode: GalleryRecord['cohortMode'];
  /** Null without statistics. */
  readonly cohort: Blob | null;
  readonly cohort_version: number | null;
  readonly cohort_people: number | null;
  /** Only in SQLite, which switches a gallery in several transactions. */
  readonly carrying?: number | null;
}

/** State of a gallery that an enrolment is checked against. */
export interface GalleryStateRow {
  readonly client_id: string;
  readonly contract: string | null;
  readonly version: number;
}

export interface FaceRow {
  readonly user_id: string;
  readonly user_name: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface SealedRow {
  readonly user_id: string;
  readonly user_name: string;
  readonly template: Blob;
  readonly seq: number;
}

export interface CropRow {
  readonly crop: Blob;
}

/** A face with its template for the next embedding spec. */
export interface MigratingRow extends FaceRow {
  readonly template: Blob;
}

export interface TokenRow {
  readonly id: string;
  readonly client_id: string;
  readonly name: string;
  readonly digest: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  /** JSON */
  readonly scopes: string | null;
  readonly last_used_at: number | null;
  readonly service: TokenBinding['service'] | null;
  readonly gallery_id: string | null;
}

export interface SessionRow {
  readonly id: string;
  readonly client_id: string;
  /** JSON */
  readonly steps: string;
  /** JSON */
  readonly lights: string | null;
  readonly nonce: string;
  readonly gallery_id: string | null;
  readonly user_id: string | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly subject: Blob | null;
  readonly claimed_at: number | null;
  readonly passed: number | null;
}

/** A sealed part of a frame. */
export interface FrameRow {
  readonly id: number;
  readonly session: string;
  readonly sealed: Blob;
  readonly sent_at: number;
}

export interface RefusedRow {
  readonly client_id: string;
  readonly at: number;
  readonly route: string;
  readonly status: string;
  readonly detail: string | null;
  readonly trx_id: string;
  readonly gallery_id: string | null;
  readonly user_id: string | null;
  readonly similarity: number | null;
  readonly spoof_score: number | null;
  readonly ms: number;
}

export function toClient(row: ClientRow): ClientRecord {
  return {
    clientId: row.client_id,
    passwordHash: row.password_hash,
    registeredAt: dateOrNull(row.registered_at),
    createdAt: dateOf(row.created_at),
    operator: row.operator !== 0,
    quota: { hits: row.quota_hits, faces: row.quota_faces, galleries: row.quota_galleries },
    used: { hits: row.used_hits, faces: row.used_faces, galleries: row.used_galleries },
  };
}

export function toGallery(row: GalleryRow): GalleryRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    galleryId: row.gallery_id,
    wrappedKey: bytesOf(row.wrapped_key),
    formerKey: formerKeyOf(row.former_key),
    embeddingSpec: row.contract,
    version: row.version,
    faces: row.faces,
    createdAt: dateOf(row.created_at),
    threshold: row.threshold,
    curve: row.curve,
    requireLiveness: row.require_liveness !== 0,
    requireConsent: row.require_consent !== 0,
    retentionDays: row.retention_days,
    migrated:
      row.former_contract === null || row.carried_at === null
        ? null
        : { from: row.former_contract, at: dateOf(row.carried_at) },
    migrating: row.carrying === 1,
    cohort:
      row.cohort === null || row.cohort_version === null || row.cohort_people === null
        ? null
        : { version: row.cohort_version, people: row.cohort_people, sealed: bytesOf(row.cohort) },
    cohortMode: row.cohort_mode,
  };
}

/** The embedded store overwrites a key that it erases with zeros. */
function formerKeyOf(blob: Blob | null): Uint8Array | null {
  const key = blob && bytesOf(blob);
  return key?.some((byte) => byte !== 0) ? key : null;
}

export function toFaceRecord(row: FaceRow): FaceRecord {
  return {
    userId: row.user_id,
    userName: row.user_name,
    createdAt: dateOf(row.created_at),
    updatedAt: dateOf(row.updated_at),
  };
}

export function toSealedFace(row: SealedRow): SealedFace {
  return {
    userId: row.user_id,
    userName: row.user_name,
    template: bytesOf(row.template),
    seq: row.seq,
  };
}

export function toCrop({ crop }: CropRow): Uint8Array {
  return bytesOf(crop);
}

export function toToken(row: TokenRow): ApiTokenRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    digest: row.digest,
    createdAt: dateOf(row.created_at),
    expiresAt: dateOrNull(row.expires_at),
    revokedAt: dateOrNull(row.revoked_at),
    scopes: row.scopes === null ? null : (JSON.parse(row.scopes) as string[]),
    lastUsedAt: dateOrNull(row.last_used_at),
    binding: row.service === null ? null : { service: row.service, galleryId: row.gallery_id },
  };
}

export function toSession(row: SessionRow): LivenessSessionRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    steps: JSON.parse(row.steps) as string[],
    lights: row.lights === null ? null : (JSON.parse(row.lights) as number[]),
    nonce: row.nonce,
    galleryId: row.gallery_id,
    userId: row.user_id,
    subject: row.subject && bytesOf(row.subject),
    createdAt: dateOf(row.created_at),
    expiresAt: dateOf(row.expires_at),
  };
}

export function toEarlierSession(row: SessionRow): EarlierSession {
  const { claimed_at: claimedAt, passed } = row;
  return {
    ...toSession(row),
    claimedAt: claimedAt === null ? null : dateOf(claimedAt),
    passed: passed === null ? null : passed === 1,
  };
}

export function toFramePart(row: FrameRow) {
  return {
    id: row.id,
    sessionId: row.session,
    sealed: bytesOf(row.sealed),
    sentAt: dateOf(row.sent_at),
  } satisfies StoredFramePart & { sentAt: Date };
}

export function toRefusedCall(row: RefusedRow): RefusedCall {
  return {
    at: dateOf(row.at),
    clientId: row.client_id,
    route: row.route,
    status: row.status,
    detail: row.detail,
    trxId: row.trx_id,
    galleryId: row.gallery_id,
    userId: row.user_id,
    similarity: row.similarity,
    spoofScore: row.spoof_score,
    ms: row.ms,
  };
}

/** Columns of `RefusedRow` in order, as query parameters. */
export function refusedValues(call: RefusedCall) {
  return [
    call.clientId,
    call.at.getTime(),
    call.route,
    call.status,
    call.detail,
    call.trxId,
    call.galleryId,
    call.userId,
    call.similarity,
    call.spoofScore,
    call.ms,
  ] as const;
}

export function bytesOf(blob: Blob): Uint8Array {
  return blob instanceof Uint8Array ? blob : new Uint8Array(blob);
}

function dateOf(milliseconds: number): Date {
  return new Date(milliseconds);
}

function dateOrNull(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
