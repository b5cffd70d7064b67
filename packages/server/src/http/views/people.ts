import type { Receipt } from '../../events/ports.ts';
import type { KnownTerms } from '../../services/faces/ports.ts';
import type {
  ErasedPerson,
  ExpiringPage,
  PersonExport,
  ProcessingRecords,
} from '../../services/people/ports.ts';
import type { FaceRecord } from '../../store/ports.ts';
import { deliveryView, refusalView } from './records.ts';

export function exportView({ userId, at, galleries, sessions, ...known }: PersonExport) {
  return {
    user_id: userId,
    exported_at: at.toISOString(),
    galleries: galleries.map((one) => ({
      facegallery_id: one.galleryId,
      user_name: one.userName,
      created_at: one.createdAt.toISOString(),
      updated_at: one.updatedAt.toISOString(),
      ...termsView(one.terms),
      n_picture: one.templates,
      pack: one.pack,
      picture_ids: one.pictureIds,
      crops: one.crops.map(({ bytes, jpeg }) => ({
        bytes,
        ...(jpeg && { image: Buffer.from(jpeg).toString('base64') }),
      })),
      different_from: one.differentFrom,
    })),
    liveness_sessions: sessions.map((session) => ({
      session_id: session.id,
      facegallery_id: session.galleryId,
      created_at: session.createdAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
      submitted_at: session.claimedAt?.toISOString() ?? null,
      passed: session.passed,
    })),
    remembered_frames: known.frames,
    refusals: known.refusals.map(refusalView),
    webhook_events: known.webhookEvents.map(({ endpoint, payload, ...delivery }) => ({
      webhook_id: endpoint,
      ...deliveryView(delivery),
      event: JSON.parse(payload),
    })),
  };
}

export function erasedView({ galleryIds, receipt, ...counts }: ErasedPerson) {
  return {
    facegallery_ids: galleryIds,
    liveness_sessions: counts.sessions,
    remembered_frames: counts.frames,
    refusals: counts.refusals,
    ...receiptView(receipt),
  };
}

export function expiringView({ until, people, nextCursor }: ExpiringPage) {
  return {
    until: until.toISOString(),
    people: people.map(({ clientId, galleryId, userId, userName, expiresAt }) => ({
      client_id: clientId,
      facegallery_id: galleryId,
      user_id: userId,
      user_name: userName,
      expires_at: expiresAt.toISOString(),
    })),
    ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
  };
}

export function processingView({ clientId, from, to, galleries, ...records }: ProcessingRecords) {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    client_id: clientId,
    galleries: galleries.map((gallery) => ({
      facegallery_id: gallery.galleryId,
      people: gallery.people,
      purposes: gallery.purposes,
      without_consent: gallery.withoutConsent,
      require_consent: gallery.requireConsent,
      retention_days: gallery.retentionDays,
      counts: gallery.counts,
    })),
    other_counts: records.otherCounts,
    recipients: records.recipients.map(({ name, scopes, createdAt, lastUsedAt }) => ({
      name,
      scopes: [...scopes],
      created_at: createdAt.toISOString(),
      last_used_at: lastUsedAt?.toISOString() ?? null,
    })),
    categories: records.categories,
  };
}

/** A user in a list; with times where the terms were asked for. */
export function personView({
  terms,
  hasCrop,
  ...face
}: FaceRecord & { readonly terms: KnownTerms | undefined; readonly hasCrop: boolean }) {
  if (terms) return { ...timedView(face), has_crop: hasCrop, ...termsView(terms) };
  return { user_id: face.userId, user_name: face.userName };
}

export function timedView({ userId, userName, createdAt, updatedAt }: FaceRecord) {
  return {
    user_id: userId,
    user_name: userName,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

export function termsView({ consent, expiry, suspendedAt }: KnownTerms) {
  return {
    consent: consent && {
      reference: consent.reference,
      purpose: consent.purpose,
      given_at: consent.givenAt.toISOString(),
      until: consent.until?.toISOString() ?? null,
    },
    expires_at: expiry?.toISOString() ?? null,
    suspended_at: suspendedAt?.toISOString() ?? null,
  };
}

/** The field `receipt` of an erasure; empty without one. */
export function receiptView(receipt: Receipt | null) {
  return receipt === null ? {} : { receipt: { ...receipt, at: receipt.at.toISOString() } };
}
